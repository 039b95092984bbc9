//! The modules of a crate, read from its text, and what a path written in one of them names.
//!
//! - The modules of a crate are its files; what a file declares in braces belongs to the file.
//! - There is an arrow from A to B when A names something that is written in B's file, in a `use`
//!   or in a path, whichever re-exports the name came by.
//! - `mod child;` is no arrow, and `pub use child::X` is one only where the file that says so uses
//!   `X` itself.
//! - What `#[cfg(test)]` hides does not count. Methods are called without a path and are not seen,
//!   nor is what a macro would make of the text or what a glob brings in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::source::{Token, closing, product_tokens};

/// A crate's modules, its root first.
#[derive(Debug)]
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) modules: Vec<Module>,
}

/// One file of product code.
#[derive(Debug)]
pub(super) struct Module {
    path: String,
    parent: usize,
    children: BTreeMap<String, usize>,
    imports: Vec<Import>,
    /// Everything but the imports.
    pub(super) tokens: Vec<Token>,
}

/// A name that a `use` brings into a module.
#[derive(Debug)]
struct Import {
    name: String,
    path: Vec<String>,
    /// Whether others may use the name too.
    shared: bool,
}

/// What a path names, if it stays in the crate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Named {
    Module(usize),
    /// An item in the file of this module.
    ItemOf(usize),
}

/// The modules that each module names.
pub(super) type Arrows = BTreeMap<usize, BTreeSet<usize>>;

impl Crate {
    pub(super) fn read(name: &str, root: &Path) -> Self {
        let mut this = Self { name: name.to_owned(), modules: Vec::new() };
        let folder = root.parent().expect("a file lies in a folder");
        this.add(root, folder.to_owned(), String::new(), 0);
        this
    }

    /// A small crate of files that are given.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        Self::read("small", &folder.path().join("lib.rs"))
    }

    /// A module's path, or what its root file is called.
    pub(super) fn module_name(&self, module: usize) -> &str {
        if module == 0 { "crate" } else { &self.modules[module].path }
    }

    /// Whether `inner` lies somewhere below `outer`.
    fn is_below(&self, inner: usize, outer: usize) -> bool {
        let mut at = inner;
        while at != 0 {
            at = self.modules[at].parent;
            if at == outer {
                return true;
            }
        }
        false
    }

    /// What a path names where it stands in `module`.
    fn resolve(&self, module: usize, path: &[String]) -> Option<Named> {
        self.resolve_after(module, path, 0)
    }

    fn resolve_after(&self, module: usize, path: &[String], imports: usize) -> Option<Named> {
        // An import of the same name from another crate would be followed for ever.
        if imports > 16 {
            return None;
        }
        let mut at = module;
        for (index, segment) in path.iter().enumerate() {
            let (first, last) = (index == 0, index + 1 == path.len());
            let here = &self.modules[at];
            let child = here.children.get(segment);
            let import = here.imports.iter().find(|import| import.name == *segment);
            match (segment.as_str(), child, import) {
                ("crate", ..) => at = 0,
                ("self", ..) => {}
                ("super", ..) => at = here.parent,
                (_, Some(child), None) => at = *child,
                (_, Some(child), Some(_)) if !last => at = *child,
                (.., Some(import)) => match self.resolve_after(at, &import.path, imports + 1)? {
                    Named::Module(imported) => at = imported,
                    item @ Named::ItemOf(_) => return Some(item),
                },
                // Another crate's, something local, or an item of the same file.
                (_, None, None) if first => return None,
                (_, None, None) => return Some(Named::ItemOf(at)),
            }
        }
        Some(Named::Module(at))
    }

    /// The arrows of each module.
    pub(super) fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (index, module) in self.modules.iter().enumerate() {
            let targets = arrows.entry(index).or_default();
            for import in &module.imports {
                let target = match self.resolve(index, &import.path) {
                    Some(Named::ItemOf(target)) => target,
                    Some(Named::Module(target)) if import.name == "*" => target,
                    _ => continue,
                };
                let offered = import.shared && self.is_below(target, index);
                if !offered || module.uses(&import.name) {
                    targets.insert(target);
                }
            }
            for path in written_paths(&module.tokens) {
                if let Some(Named::ItemOf(target)) = self.resolve(index, &path) {
                    targets.insert(target);
                }
            }
            targets.remove(&index);
        }
        arrows
    }

    fn add(&mut self, file: &Path, folder: PathBuf, path: String, parent: usize) -> usize {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let (imports, tokens) = take_imports(product_tokens(&text));
        let children = declared_modules(&tokens);
        let this = self.modules.len();
        let prefix = if path.is_empty() { String::new() } else { format!("{path}::") };
        self.modules.push(Module { path, parent, children: BTreeMap::new(), imports, tokens });
        for name in children {
            let file = folder.join(format!("{name}.rs"));
            let child = self.add(&file, folder.join(&name), format!("{prefix}{name}"), this);
            self.modules[this].children.insert(name, child);
        }
        this
    }
}

impl Module {
    /// Whether a name that was imported is used outside of the imports.
    fn uses(&self, name: &str) -> bool {
        let field = |index: usize| index > 0 && self.tokens[index - 1].is(".");
        (0..self.tokens.len()).any(|index| self.tokens[index].is(name) && !field(index))
    }
}

/// Every path of at least two segments, such as `crate::a::b` or `a::B`.
fn written_paths(tokens: &[Token]) -> Vec<Vec<String>> {
    let (mut found, mut index) = (Vec::new(), 0);
    while index < tokens.len() {
        let mut path = vec![tokens[index].text.clone()];
        let begins = tokens[index].is_word() && (index == 0 || !tokens[index - 1].is("::"));
        index += 1;
        while begins && index + 1 < tokens.len() && tokens[index].is("::") {
            if !tokens[index + 1].is_word() {
                break;
            }
            path.push(tokens[index + 1].text.clone());
            index += 2;
        }
        if path.len() > 1 {
            found.push(path);
        }
    }
    found
}

/// The names in `mod NAME;`.
fn declared_modules(tokens: &[Token]) -> Vec<String> {
    let declared = |three: &[Token]| three[0].is("mod") && three[1].is_word() && three[2].is(";");
    tokens.windows(3).filter(|three| declared(three)).map(|three| three[1].text.clone()).collect()
}

fn take_imports(tokens: Vec<Token>) -> (Vec<Import>, Vec<Token>) {
    let (mut imports, mut rest, mut index) = (Vec::new(), Vec::<Token>::new(), 0);
    while index < tokens.len() {
        // `+ use<'a>` of a return type is followed by a sign.
        let is_use = tokens[index].is("use") && tokens[index + 1].is_word();
        if !is_use {
            rest.push(tokens[index].clone());
            index += 1;
            continue;
        }
        let shared = rest.last().is_some_and(|before| before.is("pub") || before.is(")"));
        let end = import_end(&tokens, index);
        for (name, path) in leaves(&[], &tokens[index + 1..end]) {
            imports.push(Import { name, path, shared });
        }
        index = end + 1;
    }
    (imports, rest)
}

fn import_end(tokens: &[Token], start: usize) -> usize {
    let mut index = start;
    while !tokens[index].is(";") {
        index += 1;
    }
    index
}

/// The names of a tree of imports such as `a::{b, c as d, e::{self, *}}`, with the path of each.
fn leaves(prefix: &[String], tree: &[Token]) -> Vec<(String, Vec<String>)> {
    let mut path = prefix.to_vec();
    let mut index = 0;
    while index < tree.len() {
        match tree[index].text.as_str() {
            "::" => {}
            "{" => {
                let inside = &tree[index + 1..closing(tree, index)];
                return branches(inside).into_iter().flat_map(|tree| leaves(&path, tree)).collect();
            }
            "as" => return vec![(tree[index + 1].text.clone(), path)],
            "*" => return vec![("*".to_owned(), path)],
            "self" if !path.is_empty() => {}
            word => path.push(word.to_owned()),
        }
        index += 1;
    }
    path.last().cloned().map(|name| (name, path)).into_iter().collect()
}

/// The parts between the commas that stand in no inner braces.
fn branches(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut parts, mut start, mut index) = (Vec::new(), 0, 0);
    while index < tokens.len() {
        if tokens[index].is("{") {
            index = closing(tokens, index);
        } else if tokens[index].is(",") {
            parts.push(&tokens[start..index]);
            start = index + 1;
        }
        index += 1;
    }
    parts.push(&tokens[start..]);
    parts
}
