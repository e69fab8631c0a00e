import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseTransfers
import ValiseXFTPWire

/// The links of one account: one, or one for each part, each once.
struct LinkSet: Sendable {
    let texts: [String]
    let references: [FileReference]

    /// Far more than anybody copies.
    private static let mostLinks = 10_000

    /// - Throws: ``DeviceMigrationError`` with `wrongLink`.
    init(_ given: [String]) throws {
        guard given.count <= Self.mostLinks else { throw Self.wrong("too many links") }
        var texts: [String] = []
        var references: [FileReference] = []
        var seen: Set<[UInt8]> = []
        for text in given.map(Self.trimmed) where !text.isEmpty {
            let reference = try Self.reference(text)
            guard seen.insert(reference.description.digest).inserted else { continue }
            texts.append(text)
            references.append(reference)
        }
        guard !references.isEmpty else { throw Self.wrong("no link given") }
        self.texts = texts
        self.references = references
    }

    private static func trimmed(_ text: String) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private static func reference(_ text: String) throws -> FileReference {
        do {
            return try FileReference(link: text)
        } catch let error as FileTransferError where error.kind == .invalidLink {
            throw wrong(error.message)
        }
    }

    private static func wrong(_ defect: String) -> DeviceMigrationError {
        DeviceMigrationError(
            .wrongLink, [defect, "Nothing was received."].asSentences, remedy: .showLinkElsewhere)
    }

    /// By which a later run knows the same links; nothing can be received with it.
    var fingerprint: [String] { texts.map { Hexadecimal.encode(SHA256.hash(Array($0.utf8))) }.sorted() }

    var info: ReceiveInfo {
        var (config, problem): (NetworkConfig?, String?)
        for data in references.compactMap(\.data) where config == nil {
            do throws(DeviceMigrationError) {
                config = try MigrationFileLinkData(json: data).networkConfig
            } catch {
                problem = error.message
            }
        }
        return ReceiveInfo(
            parts: references.map { StandaloneFileInfo($0) }, networkConfig: config, linkDataProblem: problem)
    }
}
