import Testing
import ValiseEncoding

@testable import ValiseXFTPWire

/// Fixtures/wire/encoding.json: every primitive, written and read.
@Suite struct FieldCodingTests {
    @Test func `every encoding of the vectors is written byte for byte`() throws {
        var count = 0
        for vector in try WireFixture.vectors("encoding") {
            guard let bytes = try written(vector) else { continue }
            #expect(bytes == (try vector.hex("hex")), "\(vector)")
            count += 1
        }
        // Signed integers, booleans and the padding of files are no fields of these messages.
        #expect(count == 16)
    }

    private func written(_ vector: [String: Any]) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        let name = try vector.text("name")
        let text = (vector["input"] as? String).map { Array($0.utf8) }
        let texts = (vector["input"] as? [String])?.map { Array($0.utf8) }
        switch name {
        case "word16": bytes.append(bigEndian: UInt16(try #require(vector["input"] as? Int)))
        case "word32": bytes.append(bigEndian: UInt32(try #require(vector["input"] as? Int)))
        case "bytes", "string": try bytes.append(short: #require(text))
        case "large": try bytes.append(long: #require(text))
        case "tail": bytes.append(contentsOf: try #require(text))
        case "maybe_bytes": try bytes.append(optional: text)
        case "list_bytes" where texts == []: return nil
        case "list_bytes", "nonempty_bytes": try bytes.append(list: #require(texts))
        case "version_range":
            for version in try #require(vector["input"] as? [Int]) {
                bytes.append(bigEndian: UInt16(version))
            }
        case _ where name.hasPrefix("pad_strict"):
            // The vectors have smaller blocks: they begin alike, and continue with the same padding.
            let block = try XFTPBlock.pad(#require(text))
            #expect(block.count == 16_384 && Set(block[(text?.count ?? 0) + 2..<16_384]) == [0x23])
            return try Array(block.prefix(vector.hex("hex").count))
        default: return nil
        }
        return bytes
    }

    @Test func `every encoding of the vectors is read again`() throws {
        for vector in try WireFixture.vectors("encoding") {
            var reader = FieldReader(try vector.hex("hex"))
            let text = (vector["input"] as? String).map { Array($0.utf8) }
            switch try vector.text("name") {
            case "word16": #expect(Int(try reader.number(UInt16.self)) == vector["input"] as? Int)
            case "word32": #expect(Int(try reader.number(UInt32.self)) == vector["input"] as? Int)
            case "bytes", "string": #expect(try reader.short() == text)
            case "large": #expect(try reader.long() == text)
            case "tail": #expect(try reader.rest() == text)
            case "maybe_bytes":
                #expect(try reader.optional { (reader) throws(XFTPWireError) in try reader.short() } == text)
            case "nonempty_bytes":
                let list = try reader.list { (reader) throws(XFTPWireError) in try reader.short() }
                #expect(list.map { String(decoding: $0, as: UTF8.self) } == vector["input"] as? [String])
            default: continue
            }
            try reader.end()
        }
    }

    @Test func `no field is read past the end`() {
        var reader = FieldReader([5, 1, 2])
        #expect(throws: XFTPWireError.self) { try reader.short() }
        reader = FieldReader([0xFF, 0xFF])
        #expect(throws: XFTPWireError.self) { try reader.long() }
        reader = FieldReader([2, 1, 7])
        #expect(throws: XFTPWireError.self) {
            try reader.list { (reader) throws(XFTPWireError) in try reader.short() }
        }
        reader = FieldReader([UInt8(ascii: "2"), 0])
        #expect(throws: XFTPWireError.self) {
            try reader.optional { (reader) throws(XFTPWireError) in try reader.short() }
        }
    }

    @Test func `a length that its field cannot hold is refused instead of wrapped`() {
        var bytes: [UInt8] = []
        #expect(throws: XFTPWireError.self) { try bytes.append(short: [UInt8](repeating: 0, count: 256)) }
        #expect(throws: XFTPWireError.self) { try bytes.append(long: [UInt8](repeating: 0, count: 65_536)) }
        #expect(throws: XFTPWireError.self) {
            try bytes.append(list: [[UInt8]](repeating: [], count: 256))
        }
        #expect(throws: XFTPWireError.self) { try bytes.append(list: []) }
    }

    @Test func `a block takes 16382 bytes and no more`() throws {
        let most = [UInt8](repeating: 7, count: 16_382)
        #expect(try XFTPBlock.unpad(XFTPBlock.pad(most)) == most)
        #expect(throws: XFTPWireError.self) { try XFTPBlock.pad(most + [7]) }
    }

    @Test func `a block of another size or with a length over 16382 is none`() throws {
        let block = try XFTPBlock.pad([1, 2, 3])
        for wrong in [[], Array(block.dropLast()), block + [0x23]] {
            #expect(throws: XFTPWireError.self) { try XFTPBlock.unpad(wrong) }
        }
        #expect(throws: XFTPWireError.self) { try XFTPBlock.unpad([0x3F, 0xFF] + block.dropFirst(2)) }
        #expect(throws: XFTPWireError.self) { try XFTPBlock.unpad([0xFF, 0xFF] + block.dropFirst(2)) }
    }

    @Test func `12a: padding with zeros is accepted`() throws {
        let block: [UInt8] = [0, 3, 1, 2, 3] + [UInt8](repeating: 0, count: 16_379)
        #expect(try XFTPBlock.unpad(block) == [1, 2, 3])
    }
}
