//! The examples at the end of each command's help. `tests/help.rs` runs them.

pub(crate) const SAT: &str = "\
Examples:
  kermode sat 'G(req -> F ack) & G F req'
  kermode sat -f examples/elevator.req --each
  kermode sat --finite 'F(a & X b)' --word-format spot";

pub(crate) const VALID: &str = "\
Examples:
  kermode valid 'G a -> F a'
  kermode valid --finite 'G N true'";

pub(crate) const EQUIV: &str = "\
Examples:
  kermode equiv 'F a' 'true U a'
  kermode equiv 'G F a' 'F G a' --word-format spot";

pub(crate) const IMPLIES: &str = "\
Examples:
  kermode implies 'G(req -> ack)' 'G(req -> F ack)'
  kermode implies 'F a' 'G a' --json";

pub(crate) const EMPTY: &str = "\
Examples:
  kermode empty examples/fairness.hoa
  kermode empty examples/often.abw --not examples/figure1.abw
  kermode translate 'G F a & F G !a' --to tgba | kermode empty -";

pub(crate) const CONTAINS: &str = "\
Examples:
  kermode contains examples/often.abw examples/figure1.abw
  kermode translate 'G F run0' --to tgba | kermode contains - examples/fairness.hoa";

pub(crate) const AUTOMATON: &str = "\
The operations are applied in the order in which they are listed above, whatever their order on the
command line.

Examples:
  kermode automaton examples/fairness.hoa --complement --to ba --stats
  kermode translate 'G(a & b -> F c)' --to tgba | kermode automaton - --relabel
  kermode automaton examples/often.abw --equiv examples/figure1.abw";

pub(crate) const EVAL: &str = "\
Examples:
  kermode eval 'G(a -> X b)' 'a & !b; cycle{b}'
  kermode eval --automaton examples/fairness.hoa 'cycle{run0; run1}'";

pub(crate) const TRANSLATE: &str = "\
Examples:
  kermode translate 'G(grant -> O req)' --to dfa --format dot
  kermode translate 'G(a -> X(b R c))' --to tgba --deterministic --complete
  kermode translate 'X a & (b U !a)' --to smv --encoding nnf/sloppy/tgba/lexp";

pub(crate) const CHECK: &str = "\
Examples:
  kermode check examples/mutex.smv
  kermode check examples/mutex.smv -p 'G F p1.location = critical' --trace-format nusmv
  kermode check examples/mutex.smv --invariant 'turn in 1..2' --ctl 'AG EF turn = 1' --deadlock";

pub(crate) const VERIFY: &str = "\
Examples:
  kermode verify examples/mutex.smv examples/mutex.cert
  kermode verify 'G(request -> F grant) & G F request & F G !grant' examples/contradiction.cert";

pub(crate) const MODEL: &str = "\
Examples:
  kermode model examples/mutex.smv
  kermode model examples/mutex.smv --stats
  kermode model examples/mutex.smv --states 'p1.location = critical'";

pub(crate) const CONVERT: &str = "\
Examples:
  kermode convert --syntax spot 'GFa -> (b W c)' --to nusmv
  kermode convert --simplify 'F(a & G F b) | F(a & G F b & c)'
  kermode convert --nnf '!(a U X b)'";

pub(crate) const GEN: &str = "\
`kermode gen` without a family lists the families.

Examples:
  kermode gen random 20 3 0.5 1..10 --to spot
  kermode gen counter 4 | kermode sat -
  kermode gen gas 3 | kermode model - --stats";

pub(crate) const BENCH_RUN: &str = "\
Examples:
  kermode bench run examples/campaign.toml --records records.jsonl
  kermode bench run examples/campaign.toml --records part1.jsonl --shard 1/2";

pub(crate) const BENCH_LIST: &str = "\
Examples:
  kermode bench list examples/campaign.toml
  kermode bench list examples/campaign.toml --shard 1/2";

pub(crate) const BENCH_MERGE: &str = "\
Examples:
  kermode bench merge part1.jsonl part2.jsonl -o all.jsonl";

pub(crate) const BENCH_REPORT: &str = "\
Examples:
  kermode bench report examples/records.jsonl
  kermode bench report records.jsonl --output report
  kermode bench report examples/records.jsonl --growth --curves 'reference:*'";

pub(crate) const BENCH_FUZZ: &str = "\
Examples:
  kermode bench fuzz --engines tgba:couvreur,reference:auto --formulas 100
  kermode bench fuzz --engines antichain:forward,reference:auto --seconds 10m --jobs 2
  kermode bench fuzz --models 100 --seed 1";

pub(crate) const RULES: &str = "\
Examples:
  kermode rules
  kermode rules --json";

pub(crate) const ENGINES: &str = "\
Examples:
  kermode engines
  kermode sat --engine antichain:forward:order=direct 'G F a'";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  kermode completions bash > ~/.local/share/bash-completion/completions/kermode";

pub(crate) const MAN: &str = "\
Examples:
  kermode man | man -l -
  kermode man ~/.local/share/man/man1";
