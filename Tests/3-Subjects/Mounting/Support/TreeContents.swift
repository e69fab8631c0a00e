import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseMounting

/// What is in a tree, and trees that tests make.
enum TreeContents {
    /// Every path with its bytes, folders with nil and a slash, as `TemporaryFolder.contents` has them.
    static func of(_ folder: any TreeFolder, under prefix: String = "") throws -> [String: [UInt8]?] {
        var contents: [String: [UInt8]?] = [:]
        var listing = try folder.listing()
        while let entry = try listing.next() {
            let name = prefix + String(decoding: entry.name, as: UTF8.self)
            switch entry.item.content {
            case .folder(let folder):
                contents[name + "/"] = .some(nil)
                contents.merge(try of(folder, under: name + "/")) { a, _ in a }
            case .file(let content, let size):
                let file = try content.open()
                #expect(file.size == size, "\(name)")
                contents[name] = try file.bytes(at: 0, upTo: Int(size))
            case .link: contents[name] = Array("a link".utf8)
            }
            let found = try folder.item(named: entry.name)
            #expect(found?.mode == entry.item.mode && found?.size == entry.item.size, "\(name)")
        }
        return contents
    }

    /// A file at a path.
    static func file(_ tree: any FileTree, _ path: String) throws -> any TreeFile {
        let item = try tree.item(at: path.split(separator: "/").map { Array($0.utf8) })
        guard case .file(let content, _)? = item?.content else {
            throw MountError(.notFound, "no such file", subject: path)
        }
        return try content.open()
    }
}

/// A tree in memory.
struct MadeTree: FileTree {
    var name: String { "made" }
    let root: TreeItem
    var isConstant = true

    init(_ entries: [TreeEntry], isConstant: Bool = true) {
        root = MemoryFolder(entries).item()
        self.isConstant = isConstant
    }
}

extension TreeEntry {
    static func file(_ name: String, _ bytes: [UInt8]) -> TreeEntry {
        TreeEntry(
            Array(name.utf8), TreeItem(.file(MadeContent { MadeFile(bytes) }, size: Int64(bytes.count))))
    }

    static func folder(_ name: String, _ entries: [TreeEntry]) -> TreeEntry {
        TreeEntry(Array(name.utf8), MemoryFolder(entries).item())
    }

    static func link(_ name: String, to target: String) -> TreeEntry {
        TreeEntry(Array(name.utf8), TreeItem(.link(Array(target.utf8))))
    }

    /// A file whose opening lasts until nobody waits for it.
    static func slow(_ name: String) -> TreeEntry {
        TreeEntry(
            Array(name.utf8),
            TreeItem(.file(MadeContent(make: { MadeFile([]) }, isSlow: true), size: 10)))
    }

    /// A file that is opened by a closure.
    static func opened(_ name: String, size: Int64, _ open: @escaping @Sendable () throws -> any TreeFile)
        -> TreeEntry
    {
        TreeEntry(Array(name.utf8), TreeItem(.file(MadeContent(make: open), size: size)))
    }
}

struct MadeContent: TreeContent {
    var make: @Sendable () throws -> any TreeFile
    /// Whether opening it waits until nobody waits for it.
    var isSlow = false

    func open(checkpoint: () throws -> Void) throws -> any TreeFile {
        while isSlow {
            try checkpoint()
            FileSystem.wait(.milliseconds(5))
        }
        return try make()
    }
}

final class MadeFile: TreeFile {
    private let content: [UInt8]

    init(_ content: [UInt8]) { self.content = content }

    var size: Int64 { Int64(content.count) }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let part = content[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}

/// A file whose reading calls a closure.
final class WaitingFile: TreeFile {
    let size: Int64
    private let body: @Sendable (() throws -> Void) throws -> Int

    init(size: Int64, _ body: @escaping @Sendable (() throws -> Void) throws -> Int) {
        self.size = size
        self.body = body
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int { try body(checkpoint) }
}
