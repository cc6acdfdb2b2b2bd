//! Random modules with parameters, and their instances.

use super::Construct;
use super::generator::{Generator, Scope, Uses};
use super::parameters::Parameter;
use super::scope::{Entry, Place, Role, Type};
use super::{RandomItem, RandomModule};

/// The rank of a parameter that its module assigns.
pub(super) const TARGET: usize = usize::MAX / 4;

/// A finished module.
#[derive(Debug)]
pub(super) struct Signature {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The names in its scope.
    pub entries: Vec<Entry>,
    /// The number of ranks of its variables.
    pub rank: usize,
    pub bits: usize,
    pub free_bits: usize,
    pub process: bool,
    /// A name that it uses and that its instances must be given.
    pub wants: bool,
    pub instances: usize,
    pub module: RandomModule,
}

impl Generator<'_> {
    /// Declares an instance, of a new module or of one that exists.
    pub(super) fn instance(&mut self) {
        // A model with processes has at least one in main: the first instance.
        let first = self.in_main() && self.scope().instances.is_empty();
        let process = self.processes && (first || self.chance(60));
        let module = match self.reusable(process) {
            Some(module) if self.chance(50) => module,
            _ => self.module(process),
        };
        self.instantiate(module);
    }

    /// A finished module that an instance in this scope may have.
    fn reusable(&mut self, process: bool) -> Option<usize> {
        let parent = self.scope().name.clone();
        let instances = self.scope().instances.clone();
        let candidates: Vec<usize> = (0..self.modules.len())
            .filter(|&module| {
                let signature = &self.modules[module];
                signature.process == process
                    && signature.parameters.iter().all(|parameter| match parameter {
                        Parameter::Owner(name) => *name == parent,
                        Parameter::Instance(of) => instances.iter().any(|(_, m)| m == of),
                        _ => true,
                    })
            })
            .collect();
        if candidates.is_empty() { None } else { Some(self.rng.choose(&candidates)) }
    }

    /// Draws a new module.
    fn module(&mut self, process: bool) -> usize {
        self.begun += 1;
        let name = format!("m{}", self.begun);
        let depth = self.scope().depth + 1;
        let count = self.rng.choose(&[0, 1, 2, 2, 3, 3]);
        let mut entries = Vec::new();
        let mut parameters = Vec::new();
        for n in 0..count {
            let parameter = if process && n == 0 && self.rng.coin() {
                Parameter::Target(Type::Boolean)
            } else {
                self.parameter()
            };
            let formal = match parameter {
                Parameter::Instance(_) | Parameter::Owner(_) => format!("owner{n}"),
                _ => format!("p{n}"),
            };
            self.bind(&parameter, &formal, &mut entries);
            parameters.push((formal, parameter));
        }
        if process {
            let running = Entry {
                role: Role::Value,
                input: true,
                ..Entry::state("running".to_string(), Type::Boolean, 0)
            };
            entries.push(running);
        }
        let used = std::mem::take(&mut self.used);
        let scope = Scope { name, entries, parameters, depth, process, ..Scope::default() };
        self.scopes.push(scope);
        let wants = self.module_body();
        self.used = used;
        self.finish_module(wants)
    }

    /// Ends the module that is being drawn.
    fn finish_module(&mut self, wants: bool) -> usize {
        let scope = self.scopes.pop().expect("a module is being drawn");
        let formals: Vec<&str> = scope.parameters.iter().map(|(name, _)| name.as_str()).collect();
        let header = if formals.is_empty() && self.rng.coin() {
            format!("MODULE {}", scope.name)
        } else {
            format!("MODULE {}({})", scope.name, formals.join(", "))
        };
        let signature = Signature {
            name: scope.name,
            parameters: scope.parameters.into_iter().map(|(_, parameter)| parameter).collect(),
            entries: scope.entries,
            rank: scope.rank,
            bits: scope.bits,
            free_bits: scope.free_bits,
            process: scope.process,
            wants,
            instances: 0,
            module: RandomModule { header, items: scope.items },
        };
        self.modules.push(signature);
        self.modules.len() - 1
    }

    /// Declares an instance of a finished module in the current scope.
    fn instantiate(&mut self, module: usize) {
        let name = format!("u{}", self.fresh());
        let base = self.scope().rank;
        let parameters = self.modules[module].parameters.clone();
        let mut actuals = Vec::new();
        let mut targets = Vec::new();
        let process = self.modules[module].process;
        for parameter in &parameters {
            let actual = match parameter {
                Parameter::Target(ty) => self.target(ty, process, &actuals, &mut targets),
                other => self.actual(other, base),
            };
            actuals.push(actual);
        }
        self.mark(Construct::Instance);
        if self.scope().depth > 0 {
            self.mark(Construct::NestedInstance);
        }
        let signature = &mut self.modules[module];
        signature.instances += 1;
        let several = signature.instances == 2;
        let of = signature.name.clone();
        let (rank, bits, wants) = (signature.rank, signature.bits, signature.wants);
        let free_bits = signature.free_bits;
        let entries = exported(&signature.entries);
        if several {
            self.mark(Construct::SeveralInstances);
        }
        let mut text = format!("{name} : ");
        if process {
            self.mark(Construct::Process);
            text += "process ";
        }
        text += &of;
        if !actuals.is_empty() {
            text += &format!("({})", actuals.join(", "));
        } else if self.rng.coin() {
            self.mark(Construct::EmptyParameterList);
            text += "()";
        }
        self.item("VAR", format!("{text};"));
        let scope = self.scope();
        scope.rank += rank;
        scope.bits += bits;
        scope.free_bits += free_bits;
        scope.instances.push((name.clone(), module));
        for entry in entries {
            let text = format!("{name}.{}", entry.text);
            // A value that the module assigns to a parameter has no place in the order.
            let rank = if entry.rank >= TARGET { TARGET } else { base + entry.rank };
            scope.entries.push(Entry { text, rank, own: false, ..entry });
        }
        if process {
            let running = Entry {
                role: Role::Value,
                input: true,
                ..Entry::state(format!("{name}.running"), Type::Boolean, 0)
            };
            scope.entries.push(running);
        }
        for (target, ty) in targets {
            self.item("VAR", format!("{target} : {};", ty.text()));
            let scope = self.scope();
            scope.rank += 1;
            scope.bits += ty.bits();
            let entry = Entry::state(target, ty, scope.rank);
            scope.entries.push(Entry { own: true, next_assigned: true, ..entry });
        }
        if wants {
            self.wanted(&name);
        }
    }

    /// The DEFINE that an instance lacks.
    fn wanted(&mut self, instance: &str) {
        self.mark(Construct::DefineIntoInstance);
        self.uses = Uses::default();
        let place = Place { limit: TARGET, body: true, ..Place::STATE };
        let body = self.boolean(place, 1);
        self.item("DEFINE", format!("{instance}.ack := {};", body.text));
    }

    /// Includes the body of a new module by ISA.
    pub(super) fn isa(&mut self) {
        self.begun += 1;
        let name = format!("part{}", self.begun);
        let depth = self.scope().depth + 1;
        let used = std::mem::take(&mut self.used);
        self.scopes.push(Scope {
            name: name.clone(),
            depth: depth.max(3),
            names: 50,
            ..Scope::default()
        });
        self.module_body();
        self.used = used;
        let module = self.finish_module(false);
        self.mark(Construct::Isa);
        self.item("ISA", name);
        let signature = &mut self.modules[module];
        // Its parameters could be anything, so that no instance may be made of it.
        signature.parameters = vec![Parameter::Owner(String::new())];
        let header = signature.module.header.trim_end_matches("()").to_string();
        signature.module.header = header;
        let (rank, bits) = (signature.rank, signature.bits);
        let free_bits = signature.free_bits;
        let entries = exported(&signature.entries);
        let scope = self.scope();
        let base = scope.rank;
        scope.rank += rank;
        scope.bits += bits;
        scope.free_bits += free_bits;
        for entry in entries {
            scope.entries.push(Entry { rank: base + entry.rank, own: false, ..entry });
        }
    }

    /// A module that nothing instantiates, with names that do not exist.
    pub(super) fn unused_module(&mut self) {
        self.begun += 1;
        let name = format!("unused{}", self.begun);
        self.closed_module(
            format!("MODULE {name}(p)"),
            &[
                ("VAR", "v : missing(p, nothing);", Construct::UnusedModule),
                ("ASSIGN", "next(v) := nothing + TRUE;", Construct::UnusedModule),
            ],
        );
    }

    /// A module with nothing but a constant `K`. Its name is returned.
    pub(super) fn constant_module(&mut self, value: i64) -> String {
        self.begun += 1;
        let name = format!("bound{}", self.begun);
        let body = format!("K := {value};");
        self.closed_module(
            format!("MODULE {name}"),
            &[("DEFINE", &body, Construct::DefineSection)],
        );
        name
    }

    /// A module of which no further instances are drawn.
    fn closed_module(&mut self, header: String, items: &[(&'static str, &str, Construct)]) {
        let items = items
            .iter()
            .map(|&(section, text, construct)| RandomItem {
                section,
                text: text.to_string(),
                constructs: [construct].into(),
            })
            .collect();
        self.modules.push(Signature {
            name: String::new(),
            parameters: vec![Parameter::Owner(String::new())],
            entries: Vec::new(),
            rank: 0,
            bits: 0,
            free_bits: 0,
            process: false,
            wants: false,
            instances: 0,
            module: RandomModule { header, items },
        });
    }
}

/// The names of a module that can be reached through an instance.
pub(super) fn exported(entries: &[Entry]) -> Vec<Entry> {
    entries
        .iter()
        .filter(|entry| {
            !entry.text.starts_with("owner")
                && entry.role != Role::Target
                && entry.text != "running"
                && !entry.set
        })
        .cloned()
        .collect()
}
