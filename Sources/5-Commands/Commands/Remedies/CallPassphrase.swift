/// The passphrase of this call, for the commands that its hints name.
enum CallPassphrase {
    static let archiveCommands: Set = [
        "archive extract", "archive import", "archive salvage", "archive verify",
    ]
    static let accountCommands: Set = [
        "account check", "account compact", "account salvage", "account sql", "archive export", "key change",
        "key upgrade", "key verify", "media audit", "media export", "migrate run", "migrate status",
        "move receive", "move send",
    ]

    /// The options of this call that say where the passphrase is; none for a descriptor, which another command lacks.
    static func options(for command: String, beside given: [String]) -> [String] {
        let isOfAccount = accountCommands.contains(command)
        guard isOfAccount || archiveCommands.contains(command),
            !given.contains(where: { $0.hasPrefix("--passphrase") || $0.contains("key-store") })
        else { return [] }
        return CallArguments.options(
            ["--passphrase-file", "--passphrase-command"] + (isOfAccount ? ["--key-store"] : []),
            flags: isOfAccount ? ["--no-key-store"] : [])
    }
}
