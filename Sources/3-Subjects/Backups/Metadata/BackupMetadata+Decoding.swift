import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValisePages
import ValiseSessionStore
import ValiseStorage

extension BackupMetadata {
    /// Reads what any program of this version of the format wrote: fields that are not known are ignored, and those that are
    /// missing have their usual values.
    ///
    /// - Throws: ``BackupError``: `damaged`; `newer`.
    package init(decoding bytes: [UInt8]) throws(BackupError) {
        guard let node = JSONNode(parsing: bytes), let version = node["version"]?.integerValue else {
            throw Self.damaged("not the metadata of a backup")
        }
        guard version == Self.version else {
            throw BackupError(.newer, "metadata of version \(version) is from a newer program", Self.file)
        }
        guard let mode = node["mode"]?.textValue.flatMap(Mode.init) else {
            throw Self.damaged("no known mode")
        }
        self.init(mode: mode, prefix: node["prefix"]?.textValue ?? AccountLocation.usualPrefix)
        isInUse = node["inUse"]?.boolValue ?? false
        program = node["program"]?.textValue ?? ""
        for entry in node["databases"]?.arrayValue ?? [] {
            if let database = try Database(entry) { databases.append(database) }
        }
        session = node["session"].flatMap(SessionFacts.init)
        previous = node["previous"]?.textValue.flatMap(ContentID.init(text:))
        if let count = node["snapshots"]?["count"]?.integerValue,
            let digest = node["snapshots"]?["digest"]?.textValue.flatMap(ContentID.init(text:))
        {
            known = KnownSnapshots(count: Int(clamping: count), digest: digest)
        }
        problems = (node["problems"]?.arrayValue ?? []).compactMap { problem in
            problem["name"]?.textValue.map { Problem($0, problem["reason"]?.textValue ?? "") }
        }
        leftOut = (node["leftOut"]?.arrayValue ?? []).compactMap(\.textValue)
    }

    fileprivate static func damaged(_ message: String) -> BackupError { BackupError(.damaged, message, file) }
}

extension BackupMetadata.Database {
    /// - Returns: nil for a database of a kind that is not known.
    fileprivate init?(_ node: JSONNode) throws(BackupError) {
        guard let database = node["name"]?.textValue.flatMap(AccountDatabase.init) else { return nil }
        guard let mode = node["mode"]?.textValue.flatMap(BackupMetadata.Mode.init),
            let pageSize = node["pageSize"]?.integerValue.flatMap(Int.init(exactly:)),
            let pageCount = node["pageCount"]?.integerValue.flatMap(UInt32.init(exactly:))
        else { throw BackupMetadata.damaged("the \(database.rawValue) database is not described") }
        let group = node["pagesPerGroup"]?.integerValue.flatMap(Int.init(exactly:)) ?? 1
        self.init(database, mode, pageSize: pageSize, pagesPerGroup: group, pageCount: pageCount)
        salt = node["salt"]?.textValue.flatMap(Hexadecimal.decode)
        cipher = try node["cipher"].map { cipher throws(BackupError) in try Self.settings(cipher, pageSize) }
        for range in node["damaged"]?.arrayValue ?? [] {
            let bounds = (range.arrayValue ?? []).compactMap {
                $0.integerValue.flatMap(UInt32.init(exactly:))
            }
            guard bounds.count == 2, bounds[0] <= bounds[1], bounds[1] <= pageCount,
                damaged.append(bounds[0]...bounds[1])
            else { throw BackupMetadata.damaged("impossible damaged pages") }
        }
        guard isValid else {
            throw BackupMetadata.damaged("impossible description of the \(database.rawValue) database")
        }
    }

    private static func settings(_ node: JSONNode, _ pageSize: Int) throws(BackupError) -> CipherSettings {
        guard let kdf = node["kdfAlgorithm"]?.textValue.flatMap(HashAlgorithm.init),
            let iterations = node["kdfIterations"]?.integerValue.flatMap(Int.init(exactly:)),
            let headerSize = Int(exactly: node["plaintextHeaderSize"]?.integerValue ?? 0)
        else { throw BackupMetadata.damaged("unknown cipher settings") }
        var hmac: HashAlgorithm?
        if let name = node["hmacAlgorithm"]?.textValue {
            guard let algorithm = HashAlgorithm(rawValue: name) else {
                throw BackupMetadata.damaged("unknown cipher settings")
            }
            hmac = algorithm
        }
        return CipherSettings(
            pageSize: pageSize, kdfAlgorithm: kdf, kdfIterations: iterations, hmacAlgorithm: hmac,
            plaintextHeaderSize: headerSize)
    }
}
