import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValisePages
import ValiseSessionStore
import ValiseStorage

extension BackupMetadata {
    /// The JSON, one line.
    /// - Throws: ``BackupError``, `invalid`, for what no reader would take.
    package func encode() throws(BackupError) -> [UInt8] {
        var members = [
            JSONNode.Member("version", .number("\(Self.version)")), .init("program", .text(program)),
            .init("mode", .text(mode.rawValue)), .init("prefix", .text(prefix)),
            .init("inUse", .bool(isInUse)),
        ]
        var nodes: [JSONNode] = []
        for database in databases { nodes.append(try database.node()) }
        members.append(.init("databases", .array(nodes)))
        if let session { members.append(.init("session", .object(session.members))) }
        if let previous { members.append(.init("previous", .text(previous.text))) }
        if let known {
            members.append(
                .init(
                    "snapshots",
                    .object([
                        .init("count", .number("\(known.count)")), .init("digest", .text(known.digest.text)),
                    ])))
        }
        if !problems.isEmpty {
            let list = problems.map {
                JSONNode.object([.init("name", .text($0.name)), .init("reason", .text($0.reason))])
            }
            members.append(.init("problems", .array(list)))
        }
        if !leftOut.isEmpty { members.append(.init("leftOut", .array(leftOut.map(JSONNode.text)))) }
        var bytes: [UInt8] = []
        JSONNode.object(members).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

extension BackupMetadata.Database {
    fileprivate func node() throws(BackupError) -> JSONNode {
        guard isValid else {
            throw BackupError(.invalid, "impossible metadata of the \(database.rawValue) database")
        }
        var members = [
            JSONNode.Member("name", .text(database.rawValue)), .init("mode", .text(mode.rawValue)),
            .init("pageSize", .number("\(pageSize)")), .init("pagesPerGroup", .number("\(pagesPerGroup)")),
            .init("pageCount", .number("\(pageCount)")),
        ]
        if let salt { members.append(.init("salt", .text(Hexadecimal.encode(salt)))) }
        if let cipher { members.append(.init("cipher", cipher.node)) }
        if !damaged.isEmpty {
            let ranges = damaged.ranges.map {
                JSONNode.array([.number("\($0.lowerBound)"), .number("\($0.upperBound)")])
            }
            members.append(.init("damaged", .array(ranges)))
        }
        return .object(members)
    }

    /// Whether a reader takes it.
    var isValid: Bool {
        (512...65536).contains(pageSize) && pageSize.nonzeroBitCount == 1
            && (1...65536).contains(pagesPerGroup)
            && salt.map { $0.count == CipherSettings.saltSize } ?? true && cipher?.isValid ?? true
            && (mode != .open || cipher?.pageSize == pageSize)
    }
}

extension CipherSettings {
    fileprivate var node: JSONNode {
        var members = [
            JSONNode.Member("kdfAlgorithm", .text(kdfAlgorithm.rawValue)),
            .init("kdfIterations", .number("\(kdfIterations)")),
        ]
        if let hmacAlgorithm { members.append(.init("hmacAlgorithm", .text(hmacAlgorithm.rawValue))) }
        members.append(.init("plaintextHeaderSize", .number("\(plaintextHeaderSize)")))
        members.append(.init("reserve", .number("\(reserve)")))
        return .object(members)
    }
}
