import ValiseEncoding

/// What the link of a move says beside the description of the file: its `data`, in the form of the official apps
/// (Documentation/formats/move.md).
///
/// Members that are not known here are kept as they were written.
package struct MigrationFileLinkData: Sendable, Equatable {
    /// Nil where the apps shall use their own settings.
    package var networkConfig: NetworkConfig?
    private var others = JSONMembers()

    /// In bytes; a link's data are some hundred.
    private static let longest = 1 << 16

    package init(networkConfig: NetworkConfig? = nil) {
        self.networkConfig = networkConfig
    }

    /// Reads `data` of a link.
    ///
    /// - Throws: ``DeviceMigrationError`` with `invalidLinkData`: for what is no JSON object, and for a configuration that is
    ///   none. The file can be received without it.
    package init(json: String) throws(DeviceMigrationError) {
        guard json.utf8.count <= Self.longest, let members = JSONMembers(json) else {
            throw DeviceMigrationError(
                .invalidLinkData,
                "the link's extra data is not a JSON object, so it has no settings to apply")
        }
        if let config = members["networkConfig"] { networkConfig = try NetworkConfig(json: config) }
        others = members.without(["networkConfig"])
    }

    /// One line, to be put into a link.
    package var json: String {
        let known = networkConfig.map { [("networkConfig", $0.json)] } ?? []
        return JSONMembers.object(known, others)
    }
}

extension JSONMembers {
    /// One line of known members, then others as they were written.
    static func object(_ known: [(String, String)], _ others: JSONMembers) -> String {
        let all = JSONMembers(known + others.members.map { ($0.name, $0.value) })
        return String(decoding: all.text, as: UTF8.self)
    }
}
