import FaultInjection
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// Every operation on the medium fails once: nothing published, or all of it with its key.
struct CryptoFileFaultTests {
    private let fixture: CryptoFixture
    private let plain: [UInt8]

    init() throws {
        fixture = try CryptoFixture()
        var random = SeededGenerator(seed: 2)
        plain = CryptoFixture.bytes(1_200_000, &random)
        _ = try fixture.write(plain, "plain")
    }

    private func encrypt(_ plan: (any FileInterposer)?, _ args: CryptoFileArgs) throws {
        let operations = CryptoFileOperations(fileSystem: FileSystem(interposer: plan), workers: 2)
        try operations.encrypt(
            CryptoFileInput(fixture.path("plain")), to: .file(fixture.path("out"), replacing: false), args,
            keyOutput: fixture.path("out.key.json"))
    }

    private func decrypt(_ plan: FaultPlan?) throws {
        let operations = CryptoFileOperations(fileSystem: FileSystem(interposer: plan), workers: 2)
        try operations.decrypt(
            CryptoFileInput(fixture.path("encrypted")), to: .file(fixture.path("out"), replacing: true),
            fixture.args)
    }

    private func removeAll() throws {
        for name in try fixture.names() where name.hasPrefix("out") {
            try FileSystem().remove(fixture.path(name))
        }
    }

    private static let faults: [FaultPlan.Fault] = [.fail(.ioError), .fail(.noSpace), .shortWrite, .crash]

    @Test func `an encrypted file is never there without its key`() throws {
        let counting = FaultPlan(.none)
        try encrypt(counting, fixture.args)
        #expect(counting.count > 10)
        try removeAll()
        var endings: Set<[String]> = []
        for position in 1...counting.count {
            for fault in Self.faults {
                let plan = FaultPlan(fault, at: position)
                let failure = Result { try encrypt(plan, fixture.args) }
                #expect(plan.wasReached)
                if case .success = failure { #expect(try fixture.names().contains("out")) }
                let names = try fixture.names().filter { $0.hasPrefix("out") }
                endings.insert(names)
                if case .crash = fault {
                } else {
                    #expect(names.isEmpty || names == ["out", "out.key.json"], "\(position) \(fault)")
                }
                if names.contains("out") { try expectReadable() }
                if names == ["out.key.json", "out.partial"] {
                    // Whole, and only without its name.
                    try expectKept(names)
                    try FileSystem().rename(fixture.path("out.partial"), to: fixture.path("out"))
                    try expectReadable()
                } else if !names.contains("out") {
                    // Whatever was left, the next run gets there, with a key of its own.
                    try encrypt(nil, CryptoFileArgs())
                    try expectReadable()
                }
                #expect(try fixture.names() == ["out", "out.key.json", "plain"], "\(position) \(fault)")
                try removeAll()
            }
        }
        // The moment between the two names was among them.
        #expect(endings.contains(["out.key.json", "out.partial"]))
        #expect(endings.contains([]) && endings.contains(["out", "out.key.json"]))
    }

    /// The next run refuses, and changes nothing.
    private func expectKept(_ names: [String]) throws {
        let before = try names.map { try fixture.read($0) }
        let error = #expect(throws: FileError.self) { try encrypt(nil, CryptoFileArgs()) }
        #expect(error?.code == .alreadyExists && error?.path == fixture.path("out.partial"))
        #expect(try names.map { try fixture.read($0) } == before)
    }

    private func expectReadable() throws {
        let file = try CryptoFile(
            text: secret(String(decoding: try fixture.read("out.key.json"), as: UTF8.self)))
        #expect(file.filePath == "out")
        let attributes = try #require(try FileSystem().attributes(of: fixture.path("out.key.json")))
        #expect(attributes.permissions == .ownerReadWrite)
        var content: [UInt8] = []
        try CryptoFileOperations().decrypt(
            CryptoFileInput(fixture.path("out")), to: .stream { content.append(contentsOf: $0) },
            try #require(file.cryptoArgs))
        #expect(content == plain)
    }

    @Test func `a finished file that was renamed by hand keeps its key, and its content`() throws {
        try encrypt(nil, fixture.args)
        try FileSystem().rename(fixture.path("out"), to: fixture.path("out.partial"))
        try expectKept(["out.key.json", "out.partial"])
        try FileSystem().rename(fixture.path("out.partial"), to: fixture.path("out"))
        try expectReadable()
    }

    @Test func `where the file system cannot rename exclusively, links do, and no key is lost`() throws {
        var both = 0
        for refused in [Errno.invalidArgument, .notSupported] {
            let counting = NoExclusiveRename(refused)
            try encrypt(counting, fixture.args)
            #expect(counting.refusals == 2)
            try expectReadable()
            #expect(try fixture.names() == ["out", "out.key.json", "plain"])
            #expect { try encrypt(counting, CryptoFileArgs()) } throws: {
                ($0 as? FileError)?.code == .alreadyExists
            }
            try removeAll()
            for position in 1...counting.plan.count {
                for fault in Self.faults {
                    let outcome = Result {
                        try encrypt(NoExclusiveRename(refused, fault, at: position), fixture.args)
                    }
                    let names = try fixture.names().filter { $0.hasPrefix("out") }
                    if case .success = outcome { #expect(names == ["out", "out.key.json"]) }
                    if names.contains("out") { try expectReadable() }
                    if names.contains("out"), names.contains("out.partial") { both += 1 }
                    try removeAll()
                }
            }
        }
        #expect(both > 0)
    }

    @Test func `where there are no hard links either, it is said, and nothing is left`() throws {
        let error = #expect(throws: FileError.self) {
            try encrypt(NoExclusiveRename(.invalidArgument, linking: .notPermitted), fixture.args)
        }
        #expect(error?.code == .unsupported && error?.message.contains("hard links") == true)
        #expect(try fixture.names() == ["plain"])
    }

    @Test func `a failure to decrypt says that nothing was written`() throws {
        _ = try fixture.write(try fixture.sealed(plain), "encrypted")
        let short: [UInt8] = [1, 2]
        for content in [Array(try fixture.sealed(plain).reversed()), short] {
            _ = try fixture.write(content, "encrypted")
            let error = #expect(throws: CryptoFileError.self) { try decrypt(nil) }
            #expect(error?.code == .damaged && error?.message.hasSuffix(". Nothing was written.") == true)
            let verified = #expect(throws: CryptoFileError.self) {
                try CryptoFileOperations().verify(CryptoFileInput(fixture.path("encrypted")), fixture.args)
            }
            #expect(verified?.message.contains("written") == false)
        }
    }

    @Test func `a key that is somebody's is never removed or replaced`() throws {
        for (key, partial) in [
            ("{}", [UInt8]?.none), (text(try fixture.args.json()), [1, 2, 3]), ("x", nil),
        ] {
            _ = try fixture.write(Array(key.utf8), "out.key.json")
            if let partial { _ = try fixture.write(partial, "out.partial") }
            let error = #expect(throws: FileError.self) { try encrypt(nil, CryptoFileArgs()) }
            #expect(error?.code == .alreadyExists && error?.path == fixture.path("out.key.json"))
            #expect(try fixture.read("out.key.json") == Array(key.utf8))
            try removeAll()
        }
    }

    @Test func `a decrypted file is there as a whole, or the previous one`() throws {
        _ = try fixture.write(try fixture.sealed(plain), "encrypted")
        _ = try fixture.write([1], "out")
        let counting = FaultPlan(.none)
        try decrypt(counting)
        for position in 1...counting.count {
            for fault in FaultSweep.turn(of: Self.faults, at: position) {
                _ = try fixture.write([1], "out")
                let plan = FaultPlan(fault, at: position)
                let outcome = Result { try decrypt(plan) }
                #expect(plan.wasReached)
                let content = try fixture.read("out")
                #expect(content == [1] || content == plain)
                if case .success = outcome { #expect(content == plain) }
                if case .crash = fault { continue }
                #expect(try fixture.names() == ["encrypted", "out", "plain"], "\(position) \(fault)")
            }
        }
    }

    @Test func `a stream that breaks takes its key with it`() throws {
        let operations = CryptoFileOperations()
        let input = try CryptoFileInput(fixture.path("plain"))
        var written: [UInt8] = []
        try operations.encrypt(
            input,
            to: .stream { piece in
                let names = try fixture.names()
                #expect(names.contains("out.key"))
                written.append(contentsOf: piece)
            }, fixture.args, keyOutput: fixture.path("out.key"))
        #expect(written == (try fixture.sealed(plain)))
        try removeAll()
        #expect(throws: Interruption.self) {
            try operations.encrypt(
                input, to: .stream { _ in throw Interruption() }, fixture.args,
                keyOutput: fixture.path("out.key"))
        }
        #expect(try fixture.names() == ["plain"])
    }

    @Test func `stopped at any moment, nothing is left`() throws {
        let operations = CryptoFileOperations()
        _ = try fixture.write(try fixture.sealed(plain), "encrypted")
        for limit in [0, 1, 600_000, 1_200_000] {
            #expect(throws: Interruption.self) {
                try operations.encrypt(
                    CryptoFileInput(fixture.path("plain")),
                    to: .file(fixture.path("out"), replacing: false), fixture.args,
                    keyOutput: fixture.path("out.key")
                ) { if $0 >= limit { throw Interruption() } }
            }
            #expect(throws: Interruption.self) {
                try operations.decrypt(
                    CryptoFileInput(fixture.path("encrypted")),
                    to: .file(fixture.path("out"), replacing: false), fixture.args
                ) { if $0 >= limit { throw Interruption() } }
            }
        }
        #expect(try fixture.names() == ["encrypted", "plain"])
    }

    @Test func `no file has two roles`() throws {
        let operations = CryptoFileOperations()
        let path = try fixture.write(plain, "in.partial")
        let link = fixture.path("a-link")
        try FileSystem().link(path, as: link)
        func attempt(_ output: String, _ key: String?) throws {
            try operations.encrypt(
                CryptoFileInput(path), to: .file(fixture.path(output), replacing: true), fixture.args,
                keyOutput: key.map { fixture.path($0) })
        }
        for (output, key) in [
            ("in", nil), ("in.partial", nil), ("a-link", nil), ("o", "in"), ("o", "o"), ("o", "o.partial"),
            ("o.partial", "o"), ("../\(fixture.folder.path.lastComponent!)/o", "o"),
        ] as [(String, String?)] {
            let error = #expect(throws: CryptoFileError.self) { try attempt(output, key) }
            #expect(error?.code == .invalid, "\(output) \(key ?? "")")
        }
        try FileSystem().makeDirectory(fixture.path("folder"))
        #expect(throws: FileError.self) { try attempt("folder", nil) }
        #expect(try fixture.names() == ["a-link", "folder", "in.partial", "plain"])
        #expect(try fixture.read("in.partial") == plain)
    }
}
