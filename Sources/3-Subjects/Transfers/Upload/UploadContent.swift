import ValiseFailures
package import ValiseFiles

/// Something other than a file that is sent as one: its bytes come from a source that a later run can make again.
package struct UploadContent: Sendable {
    /// By which a later run finds what an earlier one had sent of it; not the sender's, nor in the link. One upload at a
    /// time has it.
    package let id: String
    /// The name that travels with it.
    package let name: String
    /// The same bytes for the same version, whichever run reads them.
    package let source: any ByteSource
    /// 32 bytes: what was sent of another version is of no use, and is removed from the relays.
    package let version: [UInt8]
    /// Throws where the source is not what it was when the version was made. Asked before anything is sent, when all of
    /// it is, and where reading the source fails.
    package let checkUnchanged: @Sendable () throws -> Void

    static let versionSize = 32

    package init(
        id: String, name: String, source: any ByteSource, version: [UInt8],
        checkUnchanged: @escaping @Sendable () throws -> Void
    ) {
        self.id = id
        self.name = name
        self.source = source
        self.version = version
        self.checkUnchanged = checkUnchanged
    }
}
