//! The console blocks of the documentation are executed, and the schedule in the documentation is
//! the standard one.

use kermode::solve::portfolio::Schedule;

#[test]
fn console_blocks_show_what_the_command_does() {
    trycmd::TestCases::new().case("README.md").case("docs/*.md").run();
}

#[test]
fn the_standard_schedule_is_the_one_of_the_documentation() {
    let page = include_str!("../docs/portfolio.md");
    let (_, block) = page.split_once("```text\n").expect("a schedule");
    let (block, _) = block.split_once("```").expect("its end");
    let described = Schedule::read(block).expect("a schedule that can be read");
    assert_eq!(format!("{described:?}"), format!("{:?}", Schedule::standard()));
}
