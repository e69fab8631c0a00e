import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import ValiseFiles

/// A store in a folder, and the program run on it by a user with a home of its own.
struct StoreWorld {
    let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    /// Of the second user, with another name of a device.
    private let device: String

    init(device: String = "desk") throws {
        self.init(try TemporaryFolder("valise-store", inMemory: true), device)
        for name in ["store", "files", "tmp"] { try fileSystem.makeDirectory(path(name)) }
    }

    private init(_ folder: TemporaryFolder, _ device: String) {
        self.folder = folder
        self.device = device
    }

    /// Another device with the same store: what one remembers the other does not know.
    func other(_ device: String) -> StoreWorld { StoreWorld(folder, device) }

    var store: String { path("store").string }
    /// The folder that is synchronized.
    var files: FilePath { path(device == "desk" ? "files" : "files-\(device)") }

    func path(_ name: String) -> FilePath { folder.appending(name) }

    func write(_ name: String, _ text: String, in place: FilePath? = nil) throws {
        let file = (place ?? files).appending(name)
        try fileSystem.makeDirectories(file.parentFolder)
        try fileSystem.replace(file, with: Array(text.utf8))
    }

    func read(_ file: FilePath) throws -> String {
        String(decoding: try fileSystem.contents(of: file, limit: 1 << 20), as: UTF8.self)
    }

    /// A key of a store, for this user alone.
    func makeKey(_ name: String = "key", _ digits: String = String(repeating: "42", count: 32)) throws
        -> String
    {
        try fileSystem.replace(path(name), with: Array(digits.utf8))
        return path(name).string
    }

    func valise(_ arguments: String..., input: String? = nil) throws -> Program.Outcome {
        try run(arguments, [:], input)
    }

    func run(
        _ arguments: [String], _ environment: [String: String] = [:], _ input: String? = nil
    ) throws -> Program.Outcome {
        try Program.run(
            Program.valise, arguments, environment: self.environment.merging(environment) { $1 },
            input: input)
    }

    var environment: [String: String] {
        let home = path("home-\(device)").string
        return ["HOME": home, "XDG_STATE_HOME": home + "/state", "TMPDIR": path("tmp").string]
    }

    /// Files below a folder of the store, such as `chunks`.
    func objects(_ name: String) throws -> [FilePath] {
        try fileSystem.list(path("store").appending(name)).compactMap { $0.name }
            .map { path("store").appending(name).appending($0) }
    }

    /// Puts the objects of a store that another program made into the folder, without their prefix.
    /// - Returns: the content of the document.
    func install(_ fixture: String) throws -> [String: Any] {
        let url = Repository.root.appending(path: "Tests/2-Formats/ContentStore/Fixtures/\(fixture).json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
        let prefix = (document["prefix"] as? String).map { "\($0)/" } ?? ""
        for object in document["objects"] as? [[String: Any]] ?? [] {
            guard let key = object["key"] as? String, let content = object["b64"] as? String,
                let bytes = Data(base64Encoded: content)
            else { continue }
            let file = path("store").appending(String(key.dropFirst(prefix.count)))
            try fileSystem.makeDirectories(file.parentFolder)
            try fileSystem.replace(file, with: Array(bytes))
        }
        return document
    }
}
