import FaultInjection
import SystemPackage
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// Stores in memory, and what is put into them.
enum StoreModel {
    static let prefix = "acct/demo"
    static let layout = StoreLayout(prefix: prefix)
    static let start: Int64 = 1_767_225_600

    /// A store with the objects of a vector.
    static func objects(_ stored: StoredFixture) throws -> MemoryObjectStore {
        let objects = MemoryObjectStore(now: { start })
        for (key, content) in stored.objects { try objects.put(ObjectKey(key), content, if: .always) }
        return objects
    }

    /// A copy that others do not change.
    static func copy(of objects: MemoryObjectStore) throws -> MemoryObjectStore {
        let copy = MemoryObjectStore(now: { start })
        for (key, content) in objects.contents { try copy.put(key, content, if: .always) }
        return copy
    }

    static func store(
        _ objects: any ObjectStore, keys: StoreKeys = .none, _ change: (inout StoreRules) -> Void = { _ in }
    ) -> ContentStore {
        var rules = StoreRules()
        change(&rules)
        return ContentStore(objects, layout, keys: keys, rules: rules)
    }

    static func writer(
        _ objects: any ObjectStore, _ style: StoreWriter.Style = .portable, device: String = "dev-a",
        keys: StoreKeys = .none
    ) throws -> StoreWriter {
        try StoreWriter(
            store(objects, keys: keys), WriterIdentity(device: device, now: { start }), style)
    }

    /// Small chunks, so that small files have several.
    static func options(_ basis: WriteBasis = .anything) -> StoreUploadOptions {
        var options = StoreUploadOptions(basis)
        options.profile = .sizes(.small)
        return options
    }

    /// All files that a reader finds, with their content.
    static func files(_ objects: any ObjectStore, keys: StoreKeys = .none) throws -> [String: [UInt8]] {
        let folder = try TemporaryFolder(inMemory: true)
        let store = store(objects, keys: keys)
        var found: [String: [UInt8]] = [:]
        try store.list(isRecursive: true) { listed in
            guard case .entry(let path, _) = listed, let item = try store.content(of: path).item else {
                return true
            }
            let file = folder.appending("file")
            var options = HydrationOptions()
            (options.isReplacing, options.isDurable) = (true, false)
            if try FileSystem().exists(file) { try FileSystem().remove(file) }
            let report = try store.hydrate(item, to: file, options)
            found[path.text] =
                try report.symbolicLink.map { Array("-> \($0)".utf8) }
                ?? FileSystem().contents(of: file, limit: 1 << 30)
            return true
        }
        return found
    }

    /// Everything of a store is what it should be.
    static func verify(_ objects: any ObjectStore, keys: StoreKeys = .none) throws -> StoreVerificationReport
    {
        try StoreVerification(store(objects, keys: keys), now: { start }).run()
    }

    static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

/// A folder with files for a test.
struct LocalFiles {
    let folder: TemporaryFolder
    let path: FilePath

    init(_ files: [String: [UInt8]] = [:]) throws {
        folder = try TemporaryFolder(inMemory: true)
        path = folder.appending("files")
        try FileSystem().makeDirectory(path)
        for (name, content) in files { try write(name, content) }
    }

    func file(_ name: String) -> FilePath {
        name.split(separator: "/").reduce(path) { $0.appending(String($1)) }
    }

    @discardableResult
    func write(_ name: String, _ content: [UInt8]) throws -> FilePath {
        let file = file(name)
        let fileSystem = FileSystem()
        try fileSystem.makeDirectories(file.parentFolder)
        if try fileSystem.exists(file) { try fileSystem.remove(file) }
        var output = try fileSystem.create(file)
        try output.write(content)
        return file
    }

    func remove(_ name: String) throws { try FileSystem().remove(file(name)) }

    var contents: [String: [UInt8]] {
        get throws {
            try TemporaryFolder.contents(of: path).compactMapValues(\.self)
        }
    }
}
