import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseFiles

@testable import ValiseSessionStore

/// What appears on the disk, and what is given out, when something fails.
struct AttachmentFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    @Test(arguments: AttachmentForm.allCases)
    func `a file appears complete, private, and only once`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: 11)
        let content = AttachmentVectors.random(150_000, &random)
        let sealed = try SealedAttachment(form, content, &random)
        let path = folder.appending("picture.jpg")
        #expect(try sealed.reader().decrypt(AttachmentBytes(sealed.file), to: path) == 150_000)
        #expect(try FileSystem().contents(of: path, limit: 1 << 20) == content)
        #expect(try FileSystem().attributes(of: path)?.permissions == .ownerReadWrite)
        #expect(throws: FileError.self) {
            try sealed.reader().decrypt(AttachmentBytes(sealed.file), to: path)
        }
        try sealed.reader().decrypt(AttachmentBytes(sealed.file), to: path, replacing: true)
        #expect(try FileSystem().list(folder.path).count == 1)
    }

    @Test(arguments: AttachmentForm.allCases)
    func `damage leaves nothing, and what was there`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: 12)
        let sealed = try SealedAttachment(form, AttachmentVectors.random(150_000, &random), &random)
        var file = sealed.file
        file[file.count - 1] ^= 1
        let path = folder.appending("picture.jpg")
        #expect(throws: SessionStoreError.self) {
            try sealed.reader().decrypt(AttachmentBytes(file), to: path)
        }
        #expect(try FileSystem().list(folder.path).isEmpty)
        var previous = try FileSystem().create(path)
        try previous.write([1, 2])
        #expect(throws: SessionStoreError.self) {
            try sealed.reader().decrypt(AttachmentBytes(file), to: path, replacing: true)
        }
        #expect(try FileSystem().contents(of: path, limit: 10) == [1, 2])
        #expect(try FileSystem().list(folder.path).count == 1)
        // Not a byte of it goes to a closure.
        #expect(throws: SessionStoreError.self) {
            try sealed.reader().decrypt(AttachmentBytes(file)) { _ in Issue.record("something was given out")
            }
        }
    }

    @Test(arguments: AttachmentForm.allCases)
    func `whatever operation fails, the file is there complete or not at all`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: 13)
        let content = AttachmentVectors.random(150_000, &random)
        let sealed = try SealedAttachment(form, content, &random)
        for position in 1... {
            let plan = FaultPlan(.fail(.noSpace), at: position)
            let path = folder.appending("\(position)")
            do {
                try sealed.reader().decrypt(
                    AttachmentBytes(sealed.file), to: path, fileSystem: FileSystem(interposer: plan))
                #expect(!plan.wasReached, "operation \(position) failed unseen")
                break
            } catch is FileError {
                let isThere = try FileSystem().exists(path)
                if isThere { #expect(try FileSystem().contents(of: path, limit: 1 << 20) == content) }
            }
        }
        let partial = try FileSystem().list(folder.path).filter { $0.name?.hasSuffix(".partial") == true }
        #expect(partial.isEmpty)
    }

    @Test(arguments: AttachmentForm.allCases)
    func `a source that changes between the passes ends with an error`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: 14)
        let sealed = try SealedAttachment(form, AttachmentVectors.random(150_000, &random), &random)
        let source = ChangingSource(sealed.file)
        var given = 0
        #expect(throws: SessionStoreError.self) {
            try sealed.reader().decrypt(source) { given += $0.count }
        }
        #expect(given > 0, "the first pass found it already")
    }

    @Test func `a missing attachment has its own kind`() throws {
        do {
            _ = try AttachmentReader.source(folder.appending("gone"))
            Issue.record("it is there")
        } catch let error as SessionStoreError {
            #expect(error.kind == .missing)
            #expect(error.subject?.hasSuffix("gone") == true)
        }
        #expect(throws: FileError.self) { try AttachmentReader.source(folder.path) }
    }

    @Test(arguments: AttachmentForm.allCases)
    func `progress counts the file and can stop`(form: AttachmentForm) throws {
        struct Stopped: Error {}
        var random = SeededGenerator(seed: 15)
        let sealed = try SealedAttachment(form, AttachmentVectors.random(300_000, &random), &random)
        var last: Int64 = -1
        try sealed.reader().verify(AttachmentBytes(sealed.file)) {
            #expect($0 >= last)
            last = $0
        }
        #expect(last == Int64(sealed.file.count))
        #expect(throws: Stopped.self) {
            try sealed.reader().decrypt(
                AttachmentBytes(sealed.file), to: folder.appending("stopped"),
                progress: { _ in throw Stopped() })
        }
        #expect(try FileSystem().list(folder.path).isEmpty)
    }
}

/// A file whose last byte is another one once it is read for the second time.
private final class ChangingSource: ByteSource {
    private let first: AttachmentBytes
    private let second: AttachmentBytes
    private let passes = Mutex(0)
    let path: FilePath = "changing"
    var size: Int64 { first.size }

    init(_ bytes: [UInt8]) {
        first = AttachmentBytes(bytes)
        second = AttachmentBytes(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1])
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let pass = passes.withLock { passes in
            if offset == 0 { passes += 1 }
            return passes
        }
        return try (pass > 1 ? second : first).read(into: buffer, at: offset)
    }
}
