//! The members of the families of models have the verdicts that the families list.

use kermode::FamilyRequest;
use kermode::check;
use kermode::smv::families::build;

#[test]
fn members_have_the_listed_verdicts() {
    for request in ["gas 2..3", "stack 1..4", "bakery 2", "lcr 2..3", "philosophers 3..5"] {
        let mut words = request.split(' ');
        let name = words.next().expect("a name");
        let arguments: Vec<&str> = words.collect();
        let found = FamilyRequest::parse(name, &arguments).expect("a request");
        let FamilyRequest::Models(found) = found else { panic!("{request} are formulas") };
        for instance in found.instances() {
            let model = build(&instance);
            let checked = check(&model.text).expect("verdicts");
            assert_eq!(checked.len(), model.properties.len(), "{instance}");
            for (checked, expected) in checked.iter().zip(&model.properties) {
                let word = if expected.holds { "holds" } else { "violated" };
                assert_eq!(checked.verdict.word(), word, "{instance}: {}", expected.name);
            }
        }
    }
}
