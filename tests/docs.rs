//! The console blocks of the documentation are run, so that they cannot rot.

#[test]
fn console_blocks_show_what_the_command_does() {
    trycmd::TestCases::new().case("README.md").case("docs/*.md").run();
}
