//! The programs in `examples/` end with assertions: running them is testing them.

/// Runs the programs, each of which is compiled into this test as well.
macro_rules! examples {
    ($($name:ident: $path:literal),* $(,)?) => {$(
        #[path = $path]
        mod $name;

        #[test]
        fn $name() {
            $name::main().expect("the example ends well");
        }
    )*

        /// Every program is in the list, and short enough to be read at once.
        #[test]
        fn all_examples_are_run_and_short() {
            let listed = [$(stringify!($name)),*];
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
            for file in std::fs::read_dir(folder).expect("the examples") {
                let path = file.expect("a file").path();
                if path.extension().is_some_and(|extension| extension == "rs") {
                    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
                    assert!(listed.contains(&name), "{name} is not run");
                    let lines = std::fs::read_to_string(&path).expect("a text").lines().count();
                    assert!(lines <= 30, "{name} has {lines} lines");
                }
            }
        }
    };
}

examples! {
    buchi: "../examples/buchi.rs",
    checking: "../examples/checking.rs",
    families: "../examples/families.rs",
    implication: "../examples/implication.rs",
    own_engine: "../examples/own_engine.rs",
    requirements: "../examples/requirements.rs",
}
