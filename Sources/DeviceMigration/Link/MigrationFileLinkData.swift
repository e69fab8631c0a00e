/// What the link of a move says beside the description of the file: its `data`, in the form of the official apps
/// (Documentation/formats/move.md).
///
/// Members that are not known here are kept as they were written.
public struct MigrationFileLinkData: Sendable, Equatable {
    /// Nil where the apps shall use their own settings.
    public var networkConfig: NetworkConfig?

    public init(networkConfig: NetworkConfig? = nil) {
        self.networkConfig = networkConfig
    }

    /// Reads ``XFTPWire/FileLink/data``.
    /// - Throws: ``DeviceMigrationError`` with `invalidLinkData`.
    public init(json: String) throws(DeviceMigrationError) {
        throw DeviceMigrationError(.invalidLinkData, "not made yet")
    }

    /// One line, as ``XFTPWire/FileLink/data`` takes it.
    public var json: String { "" }
}
