/// How a file of a store is written to a folder.
package struct HydrationOptions: Sendable {
    /// Whether a file that has its name is replaced.
    package var isReplacing = false
    /// Whether it gets the permissions that are stored; set-user and set-group bits never. Else only the owner may read it.
    package var restoresMode = true
    package var restoresModificationTime = true
    /// Whether the content is durable when this returns.
    package var isDurable = true

    package init() {}
}

/// What was fetched.
package struct HydrationReport: Sendable, Equatable {
    /// Bytes of the file.
    package let size: Int64
    package let chunks: Int
    /// Where it is a symbolic link, its target; nothing was written for a file then.
    package let symbolicLink: String?
}
