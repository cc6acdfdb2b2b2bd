//! The constructs of the SMV language that random models use.

/// Declares [`Construct`] from lines `Variant "name" "documentation"`.
macro_rules! constructs {
    ($($variant:ident $name:literal $documentation:literal;)*) => {
        /// One construct of the language: a declaration, a section, an operator of a type, a form
        /// of literal, or a situation with a rule of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Construct {
            $(#[doc = $documentation] $variant,)*
        }

        impl Construct {
            /// All constructs.
            pub const ALL: &'static [Construct] = &[$(Construct::$variant,)*];

            /// A short name, with the words of the language where there are any.
            pub fn name(self) -> &'static str {
                match self {
                    $(Construct::$variant => $name,)*
                }
            }

            /// What it is, in a sentence.
            pub fn documentation(self) -> &'static str {
                match self {
                    $(Construct::$variant => $documentation,)*
                }
            }
        }
    };
}

constructs! {
    LineComment "-- comment" "A comment to the end of its line.";
    BlockComment "/-- comment --/" "A comment with an end of its own, over several lines.";
    LineDirective "# 12" "A line directive, as preprocessors leave them.";
    CarriageReturn "CR LF" "Lines that end with carriage return and line feed.";
    QuotedName "\"q 1\"" "A name in quotation marks.";
    DashName "x-1" "A name with a minus sign in it.";
    DollarName "y$1" "A name with a dollar sign.";
    HashName "z#1" "A name with a number sign.";
    UnreservedName "W, R, clock" "A name that only looks like a reserved word.";
    CompositeName "a.b" "A declared name with a component that is a name.";
    NumberedName "a.7" "A declared name with a component that is a number.";
    IndexedName "c[3]" "A declared name with an index, which is a plain scalar.";
    LeadingZeros "007" "An integer literal with leading zeros.";
    PlusSign "+5" "An integer literal with a plus sign.";
    RedundantParentheses "((e))" "Parentheses that change nothing.";

    BooleanVariable "boolean" "A boolean variable.";
    RangeVariable "0..5" "A variable with a range of integers.";
    NegativeRange "-3..3" "A range with negative values.";
    RangeOfDefines "0..N" "A range whose bounds are DEFINEs or constant expressions.";
    RangeOfInstance "0..m.K" "A range whose bound is a DEFINE of an instance.";
    SymbolicEnumeration "{red, green}" "A variable with symbolic values.";
    IntegerEnumeration "{1, 5, 9}" "A variable with enumerated integers.";
    MixedEnumeration "{1, red}" "A variable with symbolic and integer values.";
    OneValueVariable "{red}, 0..0" "A variable whose type has one value.";
    WordVariable "word[3]" "An unsigned word variable, written without its sign.";
    OldWordVariable "Word[3]" "An unsigned word variable in the old spelling.";
    UnsignedWordVariable "unsigned word[3]" "An unsigned word variable.";
    SignedWordVariable "signed word[3]" "A signed word variable.";
    WidthOfDefine "word[N]" "A word whose width is a DEFINE or a constant expression.";
    ArrayVariable "array 0..2 of T" "An array variable.";
    NegativeArrayBounds "array -1..1 of T" "An array with a negative bound.";
    NestedArray "array of array" "An array of arrays.";
    WordArray "array of word" "An array of words.";
    EmptyArray "array 2..1 of T" "An array without elements.";
    FrozenVariable "FROZENVAR" "A frozen variable.";
    InputVariable "IVAR" "An input variable.";
    EmptySection "VAR without elements" "A section without elements.";
    UseBeforeDeclaration "use before declaration" "Sections in any order.";

    DefineSection "DEFINE" "A DEFINE.";
    SetDefine "DEFINE d := {1, 2}" "A DEFINE that is a set; each use chooses anew.";
    NextDefine "DEFINE d := next(x)" "A DEFINE with `next`.";
    InputDefine "DEFINE d := i" "A DEFINE that reads an input.";
    ArrayDefine "DEFINE a := [1, 2]" "An array DEFINE.";
    MatrixDefine "DEFINE a := [[1], [2]]" "A nested array DEFINE.";
    MdefineSection "MDEFINE" "An array DEFINE in a section MDEFINE.";
    FailingUnusedDefine "DEFINE d := 1 / 0" "A DEFINE with a failure value that nothing uses.";
    ConstantsSection "CONSTANTS" "Symbolic constants without a variable.";
    CurrentAssignment "x := e" "An assignment of the current value.";
    InitAssignment "init(x) := e" "An assignment of the initial value.";
    NextAssignment "next(x) := e" "An assignment of the next value.";
    NextInNextAssignment "next(x) := next(y)" "An assignment that reads a next value.";
    InputInAssignment "next(x) := i" "An assignment that reads an input.";
    InitSection "INIT" "A condition on initial states.";
    InvarSection "INVAR" "A condition on all states.";
    TransSection "TRANS" "A condition on steps.";
    NoSemicolon "INIT e" "A condition or specification without its semicolon.";
    FairnessSection "FAIRNESS" "A justice constraint in the old spelling.";
    JusticeSection "JUSTICE" "A justice constraint.";
    CompassionSection "COMPASSION" "A compassion constraint.";
    InputFairness "FAIRNESS i" "A fairness constraint that reads an input.";

    BooleanConstant "TRUE" "A boolean constant.";
    Not "!a" "Negation.";
    And "a & b" "Conjunction.";
    Or "a | b" "Disjunction.";
    Xor "a xor b" "Exclusive disjunction.";
    Xnor "a xnor b" "Equivalence by xnor.";
    Implies "a -> b" "Implication.";
    Iff "a <-> b" "Equivalence.";
    BooleanEqual "a = b" "Equality of booleans.";
    BooleanNotEqual "a != b" "Inequality of booleans.";
    IntegerEqual "x = y" "Equality of integers.";
    IntegerNotEqual "x != y" "Inequality of integers.";
    IntegerLess "x < y" "Less, for integers.";
    IntegerLessEqual "x <= y" "At most, for integers.";
    IntegerGreater "x > y" "Greater, for integers.";
    IntegerGreaterEqual "x >= y" "At least, for integers.";
    OutsideDomain "x = 99" "A comparison with a value outside of the domain.";
    SymbolEqual "s = red" "Equality of symbols.";
    SymbolNotEqual "s != red" "Inequality of symbols.";
    MixedWithInteger "m = 1" "A mixed enumeration compared with an integer.";
    MixedWithSymbol "m = red" "A mixed enumeration compared with a symbol.";
    MixedWithMixed "m = n" "Two mixed enumerations compared.";
    In "x in {1, 2}" "Membership.";
    SubsetIn "{1, 2} in {1, 2, 3}" "Inclusion of sets.";
    BooleanIn "b in {TRUE}" "Membership in a set of booleans.";
    BooleanConditional "c ? a : b" "A conditional of booleans.";
    BooleanCase "case c : a; .. esac" "A case of booleans.";
    CaseWithoutDefault "case x < 2 : a; x >= 2 : b; esac" "An exhaustive case without TRUE.";
    BoolOfInteger "bool(x)" "An integer as a boolean.";
    BoolOfWord "bool(w)" "A word of one bit as a boolean.";
    BoolOfBoolean "bool(b)" "A boolean as a boolean, in conditions only.";

    Add "x + y" "Addition of integers.";
    Subtract "x - y" "Subtraction of integers.";
    Multiply "x * y" "Multiplication of integers.";
    Divide "x / y" "Division of integers.";
    Modulo "x mod y" "Remainder of integers.";
    Negate "-x" "The negative of an integer.";
    Absolute "abs(x)" "The absolute value.";
    Minimum "min(x, y)" "The smaller integer.";
    Maximum "max(x, y)" "The greater integer.";
    Count "count(a, b)" "The number of true operands.";
    ToIntOfBoolean "toint(b)" "A boolean as an integer.";
    ToIntOfInteger "toint(x)" "An integer as an integer.";
    ToIntOfUnsigned "toint(w)" "An unsigned word as an integer.";
    ToIntOfSigned "toint(v)" "A signed word as an integer.";
    SizeOf "sizeof(w)" "The width of a word.";
    IntegerConditional "c ? x : y" "A conditional of integers.";
    IntegerCase "case c : x; .. esac" "A case of integers.";
    WrapAround "2147483647 + x" "Integer arithmetic that wraps around at 32 bits.";

    SymbolConditional "c ? red : green" "A conditional of symbols.";
    SymbolCase "case c : red; .. esac" "A case of symbols.";
    MixedConditional "c ? 1 : red" "A conditional with an integer and a symbol.";
    BooleanSet "{TRUE, FALSE}" "A set of booleans.";
    SetLiteral "{1, 2}" "A set with several elements.";
    NestedSet "{1, {2, 3}}" "A set in a set.";
    SingletonSet "{x}" "A set of one element.";
    RangeSet "1..3" "A range as a set.";
    Union "e union f" "A union of sets.";
    ConditionalSet "c ? {1, 2} : 3" "A conditional with a branch that is a set.";
    CaseSet "case c : {1, 2}; .. esac" "A case with a branch that is a set.";

    BinaryLiteral "0b4_0110" "A binary word literal.";
    OctalLiteral "0o6_17" "An octal word literal.";
    DecimalLiteral "0d4_9" "A decimal word literal.";
    HexLiteral "0h8_ff" "A hexadecimal word literal.";
    UnsignedLiteral "0ub4_0110" "A word literal with the letter u.";
    SignedLiteral "0sb4_0110" "A signed word literal.";
    NegativeLiteral "-0sd4_3" "A negative signed literal.";
    LiteralWithoutWidth "0b_0110" "A word literal whose digits give the width.";
    LiteralUnderscore "0b4_01_10" "A word literal with an underscore between digits.";
    UpperCaseLiteral "0B4_0110" "A word literal with a base letter in upper case.";
    WideWord "0h64_.." "A word with more than 32 bits.";
    WordNot "!w" "Bitwise negation.";
    WordAnd "w & v" "Bitwise conjunction.";
    WordOr "w | v" "Bitwise disjunction.";
    WordXor "w xor v" "Bitwise exclusive disjunction.";
    WordXnor "w xnor v" "Bitwise xnor.";
    WordImplies "w -> v" "Bitwise implication.";
    WordIff "w <-> v" "Bitwise equivalence.";
    WordEqual "w = v" "Equality of words.";
    WordNotEqual "w != v" "Inequality of words.";
    UnsignedLess "w < v (unsigned)" "Less, for unsigned words.";
    UnsignedLessEqual "w <= v (unsigned)" "At most, for unsigned words.";
    UnsignedGreater "w > v (unsigned)" "Greater, for unsigned words.";
    UnsignedGreaterEqual "w >= v (unsigned)" "At least, for unsigned words.";
    SignedLess "w < v (signed)" "Less, for signed words.";
    SignedLessEqual "w <= v (signed)" "At most, for signed words.";
    SignedGreater "w > v (signed)" "Greater, for signed words.";
    SignedGreaterEqual "w >= v (signed)" "At least, for signed words.";
    UnsignedAdd "w + v (unsigned)" "Addition of unsigned words.";
    UnsignedSubtract "w - v (unsigned)" "Subtraction of unsigned words.";
    UnsignedMultiply "w * v (unsigned)" "Multiplication of unsigned words.";
    UnsignedDivide "w / v (unsigned)" "Division of unsigned words.";
    UnsignedModulo "w mod v (unsigned)" "Remainder of unsigned words.";
    UnsignedNegate "-w (unsigned)" "The negative of an unsigned word.";
    SignedAdd "w + v (signed)" "Addition of signed words.";
    SignedSubtract "w - v (signed)" "Subtraction of signed words.";
    SignedMultiply "w * v (signed)" "Multiplication of signed words.";
    SignedDivide "w / v (signed)" "Division of signed words.";
    SignedModulo "w mod v (signed)" "Remainder of signed words.";
    SignedNegate "-w (signed)" "The negative of a signed word.";
    ShiftLeft "w << k" "A shift to the left by an integer.";
    ShiftRight "w >> k" "A shift to the right by an integer, of an unsigned word.";
    ShiftRightSigned "w >> k (signed)" "A shift to the right that copies the sign.";
    ShiftByWord "w << v" "A shift by an unsigned word.";
    Concatenation "w :: v" "A concatenation of words.";
    BitSelection "w[2:1]" "A selection of bits.";
    BitSelectionOfDefine "w[N:0]" "A selection of bits with a DEFINE as bound.";
    BitSelectionOfExpression "(w + v)[1:0]" "A selection of bits of an expression.";
    WordMinimum "min(w, v)" "The smaller word.";
    WordMaximum "max(w, v)" "The greater word.";
    WordConditional "c ? w : v" "A conditional of words.";
    WordCase "case c : w; .. esac" "A case of words.";
    Word1 "word1(b)" "A boolean as a word.";
    SignedCast "signed(w)" "An unsigned word as a signed one.";
    UnsignedCast "unsigned(w)" "A signed word as an unsigned one.";
    ExtendUnsigned "extend(w, 2)" "An extension by zeros.";
    ExtendSigned "extend(v, 2)" "An extension by the sign.";
    ResizeUnsigned "resize(w, 2)" "An unsigned word of another width.";
    ResizeSigned "resize(v, 2)" "A signed word of another width.";
    UnsignedConstant "uwconst(3, 4)" "An unsigned word from an integer.";
    SignedConstant "swconst(-3, 4)" "A signed word from an integer.";

    ConstantIndex "a[1]" "An element with a constant index.";
    DefineIndex "a[N]" "An element with a DEFINE as index.";
    IntegerIndex "a[x]" "An element with a variable integer index.";
    WordIndex "a[w]" "An element with a word as index.";
    NextIndex "a[next(x)]" "An element with a next value as index.";
    NextOfElement "next(a[x])" "The next value of an element with a variable index.";
    ArrayDefineIndex "d[x]" "An element of an array DEFINE with a variable index.";
    NestedIndex "a[x][y]" "An element of an element.";
    WholeArrayInit "init(a) := b" "The initial assignment of a whole array.";
    WholeArrayNext "next(a) := b" "The next assignment of a whole array.";
    ArrayEqual "a = b (arrays)" "Equality of arrays in a condition.";
    ArrayNotEqual "a != b (arrays)" "Inequality of arrays in a condition.";

    NextOfVariable "next(x)" "The next value of a variable.";
    NextOfExpression "next(x + y)" "The next value of an expression.";
    GuardedDivision "y != 0 -> x / y < 3" "A division whose failure is masked.";
    GuardedModulo "y != 0 ? x mod y : 1" "A remainder whose failure is masked.";
    GuardedWordDivision "v != 0 ? w / v : w" "A division of words whose failure is masked.";
    GuardedCase "c -> case c : a; esac" "A case that is not exhaustive, masked.";
    GuardedIndex "x < 3 -> a[x]" "An index that may leave the bounds, masked.";
    GuardedShift "k <= 3 ? w << k : w" "A shift by too much, masked.";
    GuardAfterwards "x / y < 3 | y = 0" "A failure masked by an operand to its right.";

    Instance "u : m" "An instance of a module.";
    EmptyParameterList "u : m()" "Empty parentheses after a module name.";
    NestedInstance "u.v" "An instance in an instance.";
    SeveralInstances "u : m; v : m" "Several instances of one module.";
    InstancePath "u.x" "A variable of an instance.";
    DeepPath "u.v.x" "A variable of an instance of an instance.";
    ParameterExpression "u : m(x + 1)" "An actual parameter that is an expression.";
    ParameterVariable "u : m(x)" "An actual parameter that is a variable.";
    ParameterElement "u : m(a[1])" "An actual parameter that is an array element.";
    ParameterArray "u : m(a)" "An actual parameter that is an array.";
    ParameterConstant "u : m(3)" "An actual parameter that is a constant.";
    ParameterSet "u : m({1, 2})" "An actual parameter that is a set.";
    ParameterInput "u : m(i)" "An actual parameter that reads an input.";
    ParameterNext "u : m(next(x))" "An actual parameter with `next`.";
    ParameterInstance "v : m(u)" "An actual parameter that is an instance.";
    ParameterSelf "u : m(self)" "The actual parameter self.";
    ParameterAssigned "next(p) := e" "An assignment to a parameter.";
    UndefinedUnusedParameter "u : m(nothing)" "An unknown name as a parameter that is not used.";
    SelfComponent "self.x" "A component of self.";
    AssignmentIntoInstance "next(u.x) := e" "An assignment to a variable of an instance.";
    DefineIntoInstance "DEFINE u.ack := e" "A DEFINE that gives an instance a name it uses.";
    Isa "ISA m" "The body of another module.";
    UnusedModule "unused module" "A module without instances, whose names are not looked up.";
    ModuleConstraint "INIT in a module" "A condition or assignment in a module with instances.";
    ModuleFairness "FAIRNESS in a module" "A fairness constraint in a module with instances.";
    ModuleInput "IVAR in a module" "An input in a module with instances.";
    ModuleProperty "LTLSPEC in a module" "A specification in a module with instances.";
    Process "process m" "A process.";
    Running "running" "The DEFINE that says whether a process is selected.";
    RunningOfInstance "u.running" "The DEFINE `running` of a process, from outside.";
    SharedByProcesses "next(x) in two processes" "A variable that several processes assign.";

    SpecSection "SPEC" "A CTL specification in the old spelling.";
    CtlspecSection "CTLSPEC" "A CTL specification.";
    LtlspecSection "LTLSPEC" "An LTL specification.";
    InvarspecSection "INVARSPEC" "An invariant.";
    InvarspecNext "INVARSPEC next(x)" "An invariant of steps.";
    InvarspecInput "INVARSPEC i" "An invariant that reads an input.";
    ComputeMin "COMPUTE MIN" "The length of a shortest path.";
    ComputeMax "COMPUTE MAX" "The length of a longest path.";
    PropertyName "NAME p :=" "A specification with a name.";
    PropertyContext "IN u" "A specification in the context of an instance.";
    LtlNext "X p" "Next, in LTL.";
    LtlEventually "F p" "Eventually, in LTL.";
    LtlGlobally "G p" "Globally, in LTL.";
    LtlUntil "p U q" "Until, in LTL.";
    LtlRelease "p V q" "Release, in LTL.";
    LtlYesterday "Y p" "Yesterday.";
    LtlWeakYesterday "Z p" "Weak yesterday.";
    LtlOnce "O p" "Once.";
    LtlHistorically "H p" "Historically.";
    LtlSince "p S q" "Since.";
    LtlTriggered "p T q" "Triggered.";
    BoundedEventually "F [1,2] p" "Bounded eventually.";
    BoundedGlobally "G [1,2] p" "Bounded globally.";
    BoundedOnce "O [1,2] p" "Bounded once.";
    BoundedHistorically "H [1,2] p" "Bounded historically.";
    NextInLtl "LTLSPEC next(x)" "A next value in LTL.";
    InputInLtl "LTLSPEC i" "An input in LTL.";
    NotBeforePrefix "!G p" "A negation in front of a temporal prefix.";
    CtlExistsNext "EX p" "EX.";
    CtlAllNext "AX p" "AX.";
    CtlExistsEventually "EF p" "EF.";
    CtlAllEventually "AF p" "AF.";
    CtlExistsGlobally "EG p" "EG.";
    CtlAllGlobally "AG p" "AG.";
    CtlExistsUntil "E [p U q]" "Until on some path.";
    CtlAllUntil "A [p U q]" "Until on all paths.";
    CtlExistsBoundedEventually "EBF 1..2 p" "EBF.";
    CtlAllBoundedEventually "ABF 1..2 p" "ABF.";
    CtlExistsBoundedGlobally "EBG 1..2 p" "EBG.";
    CtlAllBoundedGlobally "ABG 1..2 p" "ABG.";
    CtlExistsBoundedUntil "E [p BU 1..2 q]" "Bounded until on some path.";
    CtlAllBoundedUntil "A [p BU 1..2 q]" "Bounded until on all paths.";
}
