public import SystemPackage
import ValiseFailures
import ValiseXFTPWire

/// The relays to send over.
public struct RelayChoice: Sendable {
    /// Addresses, without passwords where others may see them.
    package var addresses: [String]
    /// A file with addresses, one on a line, which may have passwords.
    package var file: FilePath?

    /// Without addresses and a file, the relays of the user's own list.
    public init(_ addresses: [String] = [], file: FilePath? = nil) {
        self.addresses = addresses
        self.file = file
    }

    /// Whether it is not the user's own list.
    package var isGiven: Bool { !addresses.isEmpty || file != nil }

    /// - Throws: ``OperationError``: `invalid` where there are none, `denied` where others may read a file with passwords;
    ///   `FileError`.
    func relays(_ folders: ValiseFolders) throws -> [RelayAccess] {
        var relays = try addresses.map { text in
            do throws(XFTPWireError) {
                return try RelayAccess(text)
            } catch {
                throw OperationError(
                    .invalid, "not a relay address: \(error.message)", subject: text)
            }
        }
        if let file { relays += try KnownRelays.read(file) }
        if relays.isEmpty { relays = try KnownRelays.configured(folders) }
        guard !relays.isEmpty else {
            throw OperationError(.invalid, "no relay configured. Nothing was sent.", need: .relay)
        }
        return relays
    }
}
