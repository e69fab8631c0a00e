package import ValiseEncoding

/// What was found while stores were merged.
package enum MergeFinding: Sendable {
    /// A message of one store or of several.
    case message(MergedMessage)
    /// Two messages that may be the same one, and are both kept.
    case doubt(MergeDoubt)
}

/// A message, and where it was.
package struct MergedMessage: Sendable {
    /// As it is given.
    package let message: SessionMessage
    /// The numbers of the stores that have it, from 0.
    package let stores: [Int]
    /// How many further copies of it were in the same stores.
    package let repeated: Int
    /// In what its copies differ.
    package let conflicts: [MergeConflict]
    /// The stores that have only a record that they once received it.
    package let removedFrom: [Int]
}

/// Something in which the copies of a message differ.
package struct MergeConflict: Sendable, Equatable {
    /// What differs.
    package enum Field: String, Sendable, CaseIterable {
        /// It is deleted on one device.
        case deleted
        /// It is a message here and an event there, or another event.
        case kind
        case author
        /// When it was sent.
        case time
        case text
        case quote
        case links
        /// How many attachments there are.
        case attachments
        /// An attachment was received on one device only.
        case file
        case reactions
        case delivery
        case read
        /// When it disappears.
        case expiry
    }

    package let field: Field
    /// What each store has.
    package let values: [Value]
    /// What was taken.
    package let taken: JSONNode

    /// What one store has.
    package struct Value: Sendable, Equatable {
        /// Its number, from 0.
        package let store: Int
        package let value: JSONNode
    }
}

/// Two messages of the same moment and author that have different texts, in different stores, at least one of which the network
/// knows by nothing.
package struct MergeDoubt: Sendable {
    /// One of the two.
    package struct Side: Sendable {
        package let message: SessionMessage
        /// The numbers of the stores that have it, from 0.
        package let stores: [Int]
    }

    package let first: Side
    package let second: Side
}
