import FaultInjection
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// The results of the official library's four functions, in its forms and words.
struct ResultTests {
    private let fixture: CryptoFixture
    private let operations = CryptoFileOperations()

    init() throws { fixture = try CryptoFixture() }

    @Test func `a result of writing is written and read in both forms`() throws {
        let args = try CryptoFileArgs(
            fileKey: [UInt8](repeating: 0, count: 32), fileNonce: [UInt8](repeating: 255, count: 24))
        let inner =
            #"{"fileKey":"\#(String(repeating: "A", count: 43))=","fileNonce":"\#(String(repeating: "_", count: 32))"}"#
        let result = WriteFileResult.result(args)
        #expect(text(try result.json()) == #"{"type":"result","cryptoArgs":\#(inner)}"#)
        #expect(text(try result.json(.singleField)) == #"{"_owsf":true,"result":{"cryptoArgs":\#(inner)}}"#)
        let error = WriteFileResult.error(#"no "space""#)
        #expect(text(try error.json()) == #"{"type":"error","writeError":"no \"space\""}"#)
        #expect(
            text(try error.json(.singleField))
                == #"{"_owsf":true,"error":{"writeError":"no \"space\""}}"#)
        for form in SumEncoding.allCases {
            guard case .result(let back) = try WriteFileResult(text: result.json(form)) else {
                Issue.record("no result")
                continue
            }
            #expect(back.equals(args))
            guard case .error(let message) = try WriteFileResult(text: error.json(form)) else {
                Issue.record("no error")
                continue
            }
            #expect(message == #"no "space""#)
        }
        #expect(throws: CryptoFileError.self) { try WriteFileResult(text: secret(#"{"type":"result"}"#)) }
    }

    @Test func `a result of reading is the buffer of the official library`() throws {
        #expect(ReadFileResult.data([7, 8, 9]).bytes() == [0, 3, 0, 0, 0, 7, 8, 9])
        #expect(ReadFileResult.data([]).bytes() == [0, 0, 0, 0, 0])
        #expect(ReadFileResult.error("no\u{0}pe").bytes() == [1] + Array("nope".utf8) + [0])
        let long = ReadFileResult.data([UInt8](repeating: 1, count: 70_000))
        #expect(Array(long.bytes().prefix(5)) == [0, 0x70, 0x11, 1, 0])
        for result in [long, .data([]), .error("text")] {
            #expect(try ReadFileResult(bytes: result.bytes()) == result)
        }
        #expect(try ReadFileResult(bytes: [0, 1, 0, 0, 0, 5, 6, 7]) == .data([5]))
        for bad: [UInt8] in [[], [0], [0, 1, 0, 0], [0, 1, 0, 0, 0], [0, 255, 255, 255, 255, 1], [2, 3]] {
            #expect(throws: CryptoFileError.self) { try ReadFileResult(bytes: bad) }
        }
    }

    @Test func `the form of very old libraries is read`() throws {
        func old(_ json: String, _ data: [UInt8]? = nil) throws -> ReadFileResult {
            try ReadFileResult(bytes: Array(json.utf8) + (data.map { [0] + $0 } ?? []))
        }
        #expect(try old(#"{"type":"result","fileSize":3}"#, [0, 1, 2]) == .data([0, 1, 2]))
        #expect(try old(#"{"_owsf":true,"result":{"fileSize":0}}"#, []) == .data([]))
        #expect(try old(#"{"type":"error","readError":"why"}"#) == .error("why"))
        #expect(try old(#"{"_owsf":true,"error":{"readError":"why"}}"#, []) == .error("why"))
        for bad in [#"{"type":"result"}"#, "{", #"{"type":"what"}"#] {
            #expect(throws: CryptoFileError.self) { try old(bad) }
        }
    }

    @Test func `the four functions, there and back`() throws {
        let content = Array("content".utf8)
        guard case .result(let args) = operations.writeCryptoFile(fixture.path("w"), content) else {
            Issue.record("not written")
            return
        }
        #expect(operations.readCryptoFile(fixture.path("w"), args) == .data(content))
        #expect(operations.decryptCryptoFile(fixture.path("w"), args, to: fixture.path("p")) == "")
        #expect(try fixture.read("p") == content)
        guard case .result(let other) = operations.encryptCryptoFile(fixture.path("p"), to: fixture.path("e"))
        else {
            Issue.record("not encrypted")
            return
        }
        #expect(!other.equals(args))
        #expect(operations.readCryptoFile(fixture.path("e"), other) == .data(content))
        #expect(operations.readCryptoFile(fixture.path("e"), args) == .error("FTCEInvalidAuthTag"))
        _ = try fixture.write([1, 2], "short")
        #expect(operations.readCryptoFile(fixture.path("short"), args) == .error("FTCEInvalidFileSize"))
        #expect(try fixture.names() == ["e", "p", "short", "w"])
    }

    @Test func `failures are told in the official words`() throws {
        let missing = fixture.path("no \"file\"")
        guard case .error(let write) = operations.encryptCryptoFile(missing, to: fixture.path("e")),
            case .error(let read) = operations.readCryptoFile(missing, fixture.args)
        else {
            Issue.record("no failure")
            return
        }
        let decrypt = operations.decryptCryptoFile(missing, fixture.args, to: fixture.path("d"))
        for words in [write, read, decrypt] {
            #expect(words.hasPrefix("FTCEFileIOError \"") && words.hasSuffix("\""))
            #expect(words.contains(#"no \"file\""#))
        }
        let nowhere = operations.writeCryptoFile(fixture.path("no").appending("where"), [1])
        guard case .error = nowhere else {
            Issue.record("no failure")
            return
        }
        #expect(try fixture.names().isEmpty)
    }
}
