import ArgumentParser
import SystemPackage
import ValiseFailures
import ValiseXFTPWire

/// Where a file is sent.
struct RelayChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A relay to use, xftp://FINGERPRINT@HOST[:PORT]; may be repeated, then the chunks are spread.",
            valueName: "address"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A file with addresses of relays, one on a line; for relays with a password, which no argument may hold.
            """, valueName: "file"), completion: .file())
    var serverFile: String?

    func validate() throws {
        for text in server where (try? RelayAccess(text))?.password != nil {
            throw ValidationError(
                "Others can see a password among the arguments; write the address into a file for --server-file."
            )
        }
    }

    var isGiven: Bool { !server.isEmpty || serverFile != nil }

    /// Those of the options, or else those of the user's list.
    /// - Throws: ``CommandError``: `invalid` where there are none; as ``KnownRelays/read(_:)``.
    func relays() throws -> [RelayAccess] {
        try Self.relays(server, serverFile.map { FilePath($0) })
    }

    /// Those of addresses and a file, or else those of the user's list.
    /// - Throws: as ``relays()``.
    static func relays(_ servers: [String], _ serverFile: FilePath?) throws -> [RelayAccess] {
        var relays = try servers.map { text in
            do throws(XFTPWireError) {
                return try RelayAccess(text)
            } catch {
                throw CommandError(.invalid, "this is no address of a relay: \(error.message)", subject: text)
            }
        }
        if let serverFile { relays += try KnownRelays.read(serverFile) }
        if relays.isEmpty { relays = try KnownRelays.configured() }
        guard !relays.isEmpty else {
            throw CommandError(
                .invalid,
                "no relay is known; name one with --server, list some in ~/.config/valise/relays, or be one "
                    + "yourself with --serve; nothing was sent")
        }
        return relays
    }
}
