/// What a collection removes.
package struct CollectionRules: Sendable, Hashable {
    /// Nothing that was stored or changed in the last so many seconds is removed: a run may be about to refer to it.
    package let grace: Int64
    /// Copies of deleted entries that are older than so many seconds are removed, and what only they refer to; nil to keep them.
    package let trashAge: Int64?

    /// A day.
    package static let leastGrace: Int64 = 86_400

    /// - Parameters:
    ///   - grace: in seconds, a day at least.
    ///   - trashAge: in seconds, a day at least; nil to keep all that was deleted.
    /// - Throws: ``ContentStoreError``: `invalid` for less.
    package init(grace: Int64 = leastGrace, trashAge: Int64? = nil) throws(ContentStoreError) {
        guard grace >= Self.leastGrace, trashAge ?? grace >= Self.leastGrace else {
            throw ContentStoreError(.invalid, "what is younger than a day is never removed")
        }
        self.grace = grace
        self.trashAge = trashAge
    }
}
