/// What is known of a path by whoever writes to it.
package enum WriteBasis: Sendable, Hashable {
    /// Whatever is there is replaced, and the new clock has seen it.
    case anything
    /// The content here goes back to the one with this clock.
    case clock(VectorClock)
    /// Nothing should be there.
    case nothing
}

/// How a conflict is ended.
package enum ConflictResolution: String, Sendable, Hashable, CaseIterable {
    case keepLocal = "keep-local"
    case keepRemote = "keep-remote"
    /// The version here gets the name `name.conflict-DEVICE.ext`, in the folder and in the store.
    case keepBoth = "keep-both"
}
