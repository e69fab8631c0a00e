import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSessionStore

/// What an export of a store of Session says of itself: `manifest.json` beside the store
/// (Documentation/formats/session-export.md).
struct SessionManifest: Sendable, Equatable {
    /// A file of the export.
    struct File: Sendable, Equatable {
        /// From the folder of the manifest, with slashes.
        let path: String
        /// In bytes.
        let size: Int64
        /// In hexadecimal digits.
        let sha256: String
    }

    /// A file that is not in it, or not as it should be.
    struct Problem: Sendable, Equatable {
        let path: String
        let reason: String
    }

    var facts: SessionFacts
    /// In UTC, such as `2026-11-29T03:50:00Z`.
    var created: String
    var program: String
    var files: [File] = []
    var problems: [Problem] = []
    var leftOut: [String] = []

    /// The last entry of a tar: what it says is known then.
    static let name = "manifest.json"
    /// All files of the store lie in this folder.
    static let folder = "store"
    static let format = "valise-session-export"
    static let version: Int64 = 1
    /// In bytes, with some 200 for each file: enough for a million. A larger one is neither written nor read.
    static let largest = 256 << 20

    init(_ facts: SessionFacts, created: String, program: String) {
        (self.facts, self.created, self.program) = (facts, created, program)
    }

    /// - Parameter subject: what errors call it.
    /// - Throws: ``OperationError``: `damaged`; `newer`.
    init(decoding bytes: [UInt8], of subject: String) throws(OperationError) {
        func damaged(_ what: String) -> OperationError {
            OperationError(.damaged, "the manifest of the export is damaged: \(what)", subject: subject)
        }
        guard let node = JSONNode(parsing: bytes), node["format"]?.textValue == Self.format,
            let version = node["version"]?.integerValue
        else { throw damaged("it is none of an export of Session") }
        guard version == Self.version else {
            throw OperationError(
                .newer, "the manifest has version \(version), which is from a newer program", subject: subject
            )
        }
        guard let facts = SessionFacts(node), let files = node["files"]?.arrayValue else {
            throw damaged("it does not say what was exported")
        }
        self.init(
            facts, created: node["created"]?.textValue ?? "", program: node["program"]?.textValue ?? "")
        for file in files {
            guard let path = file["path"]?.textValue, let size = file["size"]?.integerValue, size >= 0,
                let sha256 = file["sha256"]?.textValue, sha256.utf8.count == 64
            else { throw damaged("a file is not described") }
            self.files.append(File(path: path, size: size, sha256: sha256.lowercased()))
        }
        problems = (node["problems"]?.arrayValue ?? []).compactMap { problem in
            problem["path"]?.textValue.map {
                Problem(path: $0, reason: problem["reason"]?.textValue ?? "")
            }
        }
        leftOut = (node["leftOut"]?.arrayValue ?? []).compactMap(\.textValue)
    }

    /// Of all files, in bytes. Whoever wrote it may have claimed anything.
    var size: Int64 { files.reduce(0) { $0.addingCapped($1.size) } }

    /// How large it becomes with all files of a store, in bytes, but for what has yet to go wrong with them.
    func size(with files: SessionFiles) -> Int {
        var manifest = self
        let digest = String(repeating: "0", count: 64)
        manifest.leftOut = files.leftOut
        manifest.files = files.files.map {
            File(path: "\(Self.folder)/\($0.name)", size: $0.size, sha256: digest)
        }
        return manifest.encode().count
    }

    /// One line of JSON.
    func encode() -> [UInt8] {
        var members: [JSONNode.Member] = [
            .init("format", .text(Self.format)), .init("version", .number("\(Self.version)")),
            .init("program", .text(program)), .init("created", .text(created)),
        ]
        members += facts.members
        members.append(
            .init(
                "files",
                .array(
                    files.map {
                        .object([
                            .init("path", .text($0.path)), .init("size", .number("\($0.size)")),
                            .init("sha256", .text($0.sha256)),
                        ])
                    })))
        if !problems.isEmpty {
            let list = problems.map {
                JSONNode.object([.init("path", .text($0.path)), .init("reason", .text($0.reason))])
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
