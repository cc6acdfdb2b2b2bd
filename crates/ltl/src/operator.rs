//! The operators of the logic. Dialects define their spellings.

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!a`.
    Not,
    /// `X a`, strong: there is a next position and `a` holds there.
    Next,
    /// `N a`, weak: `a` holds at the next position if there is one.
    WeakNext,
    /// `F a`: now or later.
    Finally,
    /// `G a`: now and ever after.
    Globally,
    /// `Y a`: there is a previous position and `a` holds there.
    Yesterday,
    /// `Z a`: `a` holds at the previous position if there is one.
    WeakYesterday,
    /// `O a`: now or before.
    Once,
    /// `H a`: now and ever before.
    Historically,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a -> b`.
    Implies,
    /// `a <-> b`.
    Iff,
    /// `a U b`: `b` now or later, and `a` until then.
    Until,
    /// `a W b`: `a U b`, or `a` for ever.
    WeakUntil,
    /// `a R b`: `b` up to and including the first position with `a`, or for ever.
    Release,
    /// `a M b`: `a R b`, and `a` holds at some position.
    StrongRelease,
    /// `a S b`: `b` now or before, and `a` since then.
    Since,
    /// `a T b`: the dual of since; `b` back to and including the last position with `a`, or to the
    /// start.
    Triggered,
}

/// Bounded operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoundedUnaryOp {
    /// `F[l,h] a`: at some distance from `l` to `h` ahead, within the word.
    Finally,
    /// `G[l,h] a`: at every distance from `l` to `h` ahead that is within the word.
    Globally,
    /// `O[l,h] a`: at some distance from `l` to `h` back, within the word.
    Once,
    /// `H[l,h] a`: at every distance from `l` to `h` back that is within the word.
    Historically,
}

/// Bounded operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoundedBinaryOp {
    /// `a U[l,h] b`: `b` at a distance from `l` to `h`, and `a` at all smaller distances from 0 on.
    Until,
    /// `a R[l,h] b`: the dual; at each distance from `l` to `h`, `b`, or `a` at a smaller one.
    Release,
}

impl UnaryOp {
    /// Every unary operator.
    pub const ALL: [UnaryOp; 9] = [
        UnaryOp::Not,
        UnaryOp::Next,
        UnaryOp::WeakNext,
        UnaryOp::Finally,
        UnaryOp::Globally,
        UnaryOp::Yesterday,
        UnaryOp::WeakYesterday,
        UnaryOp::Once,
        UnaryOp::Historically,
    ];

    /// Whether the operator refers to other positions than the present one.
    pub fn is_temporal(self) -> bool {
        self != UnaryOp::Not
    }

    /// Whether the operator looks back.
    pub fn is_past(self) -> bool {
        matches!(
            self,
            UnaryOp::Yesterday | UnaryOp::WeakYesterday | UnaryOp::Once | UnaryOp::Historically
        )
    }
}

impl BinaryOp {
    /// Every binary operator.
    pub const ALL: [BinaryOp; 11] = [
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Implies,
        BinaryOp::Iff,
        BinaryOp::Until,
        BinaryOp::WeakUntil,
        BinaryOp::Release,
        BinaryOp::StrongRelease,
        BinaryOp::Since,
        BinaryOp::Triggered,
    ];

    /// Whether the operator refers to other positions than the present one.
    pub fn is_temporal(self) -> bool {
        !matches!(
            self,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Implies | BinaryOp::Iff
        )
    }

    /// Whether the operator looks back.
    pub fn is_past(self) -> bool {
        matches!(self, BinaryOp::Since | BinaryOp::Triggered)
    }
}

impl BoundedUnaryOp {
    /// Every bounded unary operator.
    pub const ALL: [BoundedUnaryOp; 4] = [
        BoundedUnaryOp::Finally,
        BoundedUnaryOp::Globally,
        BoundedUnaryOp::Once,
        BoundedUnaryOp::Historically,
    ];

    /// Whether the operator looks back.
    pub fn is_past(self) -> bool {
        matches!(self, BoundedUnaryOp::Once | BoundedUnaryOp::Historically)
    }
}

impl BoundedBinaryOp {
    /// Every bounded binary operator.
    pub const ALL: [BoundedBinaryOp; 2] = [BoundedBinaryOp::Until, BoundedBinaryOp::Release];
}
