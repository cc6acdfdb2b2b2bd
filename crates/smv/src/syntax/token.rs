//! Tokens: reserved words, signs, names and literals, each with its place.

use super::tree::{Name, Span};

/// Declares an enumeration of words with their spellings.
macro_rules! spellings {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name {
            $($variant,)*
        }

        impl $name {
            /// All of them, with their spellings.
            pub(super) const ALL: &'static [($name, &'static str)] =
                &[$(($name::$variant, $text),)*];

            /// How it is written.
            pub(super) fn text(self) -> &'static str {
                Self::ALL[self as usize].1
            }
        }
    };
}

spellings! {
    /// The reserved words.
    Reserved {
        // Sections. `begins_section` relies on the order.
        Module "MODULE",
        Var "VAR",
        Ivar "IVAR",
        Frozenvar "FROZENVAR",
        Define "DEFINE",
        Mdefine "MDEFINE",
        Constants "CONSTANTS",
        Assign "ASSIGN",
        Init "INIT",
        Invar "INVAR",
        Trans "TRANS",
        Fairness "FAIRNESS",
        Justice "JUSTICE",
        Compassion "COMPASSION",
        Isa "ISA",
        Spec "SPEC",
        Ctlspec "CTLSPEC",
        Ltlspec "LTLSPEC",
        Invarspec "INVARSPEC",
        Pslspec "PSLSPEC",
        Compute "COMPUTE",
        // Parts of specifications.
        NameWord "NAME",
        InInstance "IN",
        ComputeMin "MIN",
        ComputeMax "MAX",
        // Commands of NuSMV's shell.
        Constraint "CONSTRAINT",
        Simpwff "SIMPWFF",
        Nextwff "NEXTWFF",
        Ctlwff "CTLWFF",
        Ltlwff "LTLWFF",
        Compwff "COMPWFF",
        Compid "COMPID",
        // Temporal operators. `is_temporal` relies on the order.
        A "A",
        E "E",
        F "F",
        G "G",
        H "H",
        O "O",
        S "S",
        T "T",
        U "U",
        V "V",
        X "X",
        Y "Y",
        Z "Z",
        Af "AF",
        Ag "AG",
        Ax "AX",
        Ef "EF",
        Eg "EG",
        Ex "EX",
        Bu "BU",
        Abf "ABF",
        Abg "ABG",
        Ebf "EBF",
        Ebg "EBG",
        // Types.
        Array "array",
        Of "of",
        Boolean "boolean",
        Word "word",
        CapitalWord "Word",
        Word1 "word1",
        Process "process",
        Signed "signed",
        Unsigned "unsigned",
        // Operators and functions.
        Abs "abs",
        Bool "bool",
        Case "case",
        Count "count",
        Esac "esac",
        Extend "extend",
        In "in",
        InitOf "init",
        Max "max",
        Min "min",
        Mod "mod",
        Next "next",
        Resize "resize",
        SelfInstance "self",
        Sizeof "sizeof",
        Swconst "swconst",
        Toint "toint",
        Union "union",
        Uwconst "uwconst",
        Xnor "xnor",
        Xor "xor",
        // Reserved and of no use.
        Read "READ",
        Write "WRITE",
        Constarray "CONSTARRAY",
        Typeof "typeof",
        Fun "FUN",
        Itype "ITYPE",
        // Constants.
        True "TRUE",
        False "FALSE",
    }
}

impl Reserved {
    /// Whether a section of a module, or a module, begins with it.
    pub(super) fn begins_section(self) -> bool {
        self as usize <= Reserved::Compute as usize
    }

    /// Whether it is an operator of a temporal logic, or a part of one.
    pub(super) fn is_temporal(self) -> bool {
        (Reserved::A as usize..=Reserved::Ebg as usize).contains(&(self as usize))
    }
}

spellings! {
    /// Signs of one or more characters.
    Sign {
        Assign ":=",
        Colon ":",
        Concatenate "::",
        Semicolon ";",
        Comma ",",
        Dot ".",
        Range "..",
        Open "(",
        Close ")",
        OpenBracket "[",
        CloseBracket "]",
        OpenBrace "{",
        CloseBrace "}",
        Question "?",
        Not "!",
        And "&",
        Or "|",
        Implies "->",
        Iff "<->",
        Equal "=",
        NotEqual "!=",
        Less "<",
        LessEqual "<=",
        Greater ">",
        GreaterEqual ">=",
        ShiftLeft "<<",
        ShiftRight ">>",
        Plus "+",
        Minus "-",
        Times "*",
        Divide "/",
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of the text.
    End,
    /// Characters that form no token; the error was reported.
    Bad,
    /// A name, also one in quotation marks.
    Name(Name),
    /// An integer literal.
    Integer(u32),
    /// A word literal, by its index in [`File::words`](super::File::words).
    WordLiteral(u32),
    /// A reserved word.
    Reserved(Reserved),
    /// A sign.
    Sign(Sign),
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

impl Token {
    pub(super) fn is(&self, sign: Sign) -> bool {
        self.kind == Kind::Sign(sign)
    }

    pub(super) fn is_word(&self, word: Reserved) -> bool {
        self.kind == Kind::Reserved(word)
    }
}
