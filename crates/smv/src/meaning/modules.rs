//! The modules in use and what each declares.
//!
//! A module that no instance needs is only parsed. The others are found from `main` before the
//! first instance is made, so that all symbolic constants are known when types are read.

use kermode_base::Diagnostic;
use rustc_hash::FxHashMap;

use super::Flattener;
use super::messages::{hint, undefined};
use crate::flat::Symbol;
use crate::syntax::{BaseType, EnumerationValue, Item, Name, Span};

/// A module may have this many elements, those of modules in `ISA` included.
const MOST_ITEMS: usize = 50_000_000;

/// The declarations of a module, with those of the modules that it includes by `ISA`.
pub(super) struct ModuleTable<'f> {
    pub(super) items: Vec<TableItem<'f>>,
    /// The names without suffixes.
    pub(super) locals: FxHashMap<Name, Local>,
    /// Where names are declared.
    pub(super) places: FxHashMap<Name, Span>,
    /// The number of slots that an instance needs.
    pub(super) slots: usize,
}

/// An element of a module. Declarations without suffixes have a slot.
#[derive(Clone, Copy)]
pub(super) struct TableItem<'f> {
    pub(super) slot: Option<usize>,
    pub(super) item: &'f Item,
}

/// What a name denotes in each instance of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// The parameter with this number.
    Parameter(usize),
    /// The slot with this number.
    Slot(usize),
}

impl<'f> Flattener<'f> {
    /// Finds the modules in use and reads their declarations. The index of `main`.
    pub(super) fn read_modules(&mut self) -> Option<usize> {
        let modules = &self.file.modules;
        self.tables.resize_with(modules.len(), || None);
        for (index, module) in modules.iter().enumerate() {
            if self.modules.insert(module.name, index).is_some() {
                let name = self.name(module.name);
                let message = format!("the module `{name}` is declared twice");
                self.report(
                    Diagnostic::error(module.span.range(), message)
                        .label("declared again here")
                        .help("rename one of the modules, or remove it"),
                );
            }
        }
        let main = self.file.names.find("main");
        let Some(&main) = main.and_then(|name| self.modules.get(&name)) else {
            let end = self.text.trim_end().len();
            self.report(
                Diagnostic::error(end..end, "there is no module `main`").help(
                    "a model starts at `MODULE main`, which declares instances of the others",
                ),
            );
            return None;
        };
        if let Some((_, span)) = self.file.modules[main].parameters.first() {
            self.report(
                Diagnostic::error(span.range(), "`main` cannot have parameters")
                    .label("no instance gives it a value")
                    .help("remove the parameters, or declare variables or constants instead"),
            );
        }
        let mut todo = vec![main];
        while let Some(index) = todo.pop() {
            if self.tables[index].is_none() {
                let table = self.read_module(index);
                for TableItem { item, .. } in &table.items {
                    if let Item::Variable { ty, .. } = item
                        && let BaseType::Instance { module, .. } = &ty.base
                    {
                        todo.extend(self.modules.get(module));
                    }
                }
                self.tables[index] = Some(table);
            }
        }
        Some(main)
    }

    fn read_module(&mut self, index: usize) -> ModuleTable<'f> {
        let module = &self.file.modules[index];
        let mut table = ModuleTable {
            items: Vec::with_capacity(module.items.len()),
            locals: FxHashMap::default(),
            places: FxHashMap::default(),
            slots: 0,
        };
        for (number, &(name, span)) in module.parameters.iter().enumerate() {
            self.declare(&mut table, name, span, Local::Parameter(number));
        }
        // `ISA` includes the elements of another module in the place where it stands.
        let mut active = vec![index];
        let mut todo = vec![module.items.iter()];
        while let Some(items) = todo.last_mut() {
            let Some(item) = items.next() else {
                todo.pop();
                active.pop();
                continue;
            };
            match item {
                Item::Isa(name, span) => {
                    if let Some(included) = self.included(*name, *span, &active, &table) {
                        active.push(included);
                        todo.push(self.file.modules[included].items.iter());
                    }
                }
                Item::Variable { declaration, .. } | Item::Define { declaration, .. } => {
                    let slot = declaration.path.is_none().then_some(table.slots);
                    if let Some(slot) = slot {
                        table.slots += 1;
                        self.declare(
                            &mut table,
                            declaration.name,
                            declaration.span,
                            Local::Slot(slot),
                        );
                    }
                    self.note_symbols(item);
                    table.items.push(TableItem { slot, item });
                }
                _ => {
                    self.note_symbols(item);
                    table.items.push(TableItem { slot: None, item });
                }
            }
        }
        table
    }

    /// The module that `ISA` includes.
    fn included(
        &mut self,
        name: Name,
        span: Span,
        active: &[usize],
        table: &ModuleTable,
    ) -> Option<usize> {
        let text = self.name(name);
        let Some(&index) = self.modules.get(&name) else {
            let known = self.file.modules.iter().map(|module| self.name(module.name));
            let error = undefined(span, "module", text, known);
            self.report(error);
            return None;
        };
        let problem = if active.contains(&index) {
            Some(("includes itself by `ISA`", "remove this `ISA`"))
        } else if !self.file.modules[index].parameters.is_empty() {
            Some(("has parameters, so `ISA` cannot include it", "declare an instance instead"))
        } else if table.items.len() + active.len() > MOST_ITEMS {
            Some(("makes the module too large", "include it fewer times"))
        } else {
            None
        };
        if let Some((problem, remedy)) = problem {
            let error = Diagnostic::error(span.range(), format!("the module `{text}` {problem}"));
            self.report(error.label("included here").help(remedy));
            return None;
        }
        let warning = format!("`ISA {text}` copies the declarations of `{text}`");
        let advice =
            "NuSMV no longer recommends `ISA`: an instance of the module keeps names apart";
        self.report(Diagnostic::warning(span.range(), warning).help(advice));
        Some(index)
    }

    fn declare(&mut self, table: &mut ModuleTable<'f>, name: Name, span: Span, local: Local) {
        if let Some(&before) = table.places.get(&name) {
            let text = self.name(name);
            let is_parameter = matches!(table.locals.get(&name), Some(Local::Parameter(_)));
            let what = if is_parameter { "a parameter of this module" } else { "declared before" };
            let (line, _) = self.place(before);
            let message = format!("`{text}` is declared twice");
            self.report(
                Diagnostic::error(span.range(), message)
                    .label(format!("{what}, in line {line}"))
                    .help("variables, definitions, parameters and instances of a module share their names: rename one"),
            );
            return;
        }
        table.places.insert(name, span);
        table.locals.insert(name, local);
    }

    /// Collects the symbolic constants of an element.
    fn note_symbols(&mut self, item: &'f Item) {
        match item {
            Item::Variable { ty, .. } => {
                if let BaseType::Enumeration(values) = &ty.base {
                    for (value, span) in values {
                        if let EnumerationValue::Symbol(name) = value {
                            self.note_symbol(*name, *span);
                        }
                    }
                }
            }
            Item::Constants(names) => {
                names.iter().for_each(|&(name, span)| self.note_symbol(name, span));
            }
            _ => {}
        }
    }

    fn note_symbol(&mut self, name: Name, span: Span) {
        if !self.symbols.contains_key(&name) {
            let symbol = self.new_symbol(self.name(name));
            self.symbols.insert(name, (symbol, span));
        }
    }

    pub(super) fn new_symbol(&mut self, text: &str) -> Symbol {
        self.model.symbols.push(text.to_owned());
        Symbol(self.model.symbols.len() as u32 - 1)
    }

    /// Reports symbolic constants that are also names of variables of `main`, of inputs, or of
    /// definitions. Other clashes matter where the name is used.
    pub(super) fn check_symbols(&mut self) {
        for index in 0..self.tables.len() {
            let Some(table) = &self.tables[index] else { continue };
            let is_main = self.instances[0].module == index;
            let mut clashes = Vec::new();
            for TableItem { item, .. } in &table.items {
                let (declaration, always) = match item {
                    Item::Define { declaration, .. } => (declaration, true),
                    Item::Variable { declaration, kind, .. } => {
                        let is_input = *kind == crate::syntax::VariableKind::Input;
                        (declaration, is_input)
                    }
                    _ => continue,
                };
                let Some(&(_, symbol)) = self.symbols.get(&declaration.name) else { continue };
                let is_instance = matches!(item, Item::Variable { ty, .. } if matches!(ty.base, BaseType::Instance { .. }));
                if !is_instance && (always || is_main && symbol < declaration.span) {
                    clashes.push((declaration.name, declaration.span, symbol));
                }
            }
            for (name, span, symbol) in clashes {
                let (text, (line, _)) = (self.name(name), self.place(symbol));
                let message = format!("`{text}` is declared twice");
                self.report(
                    Diagnostic::error(span.range(), message)
                        .label(format!("a symbolic constant, by line {line}"))
                        .help(hint::SYMBOLS_ARE_GLOBAL),
                );
            }
        }
    }
}
