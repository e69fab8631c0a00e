import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// Fixtures/wire/transmissions.json.
@Suite struct TransmissionTests {
    @Test func `every transmission of the vectors is written byte for byte and read again`() throws {
        let vectors = try WireFixture.vectors("transmissions")
        #expect(vectors.count == 8)
        for vector in vectors {
            var transmission = try Transmission(
                sessionID: vector.hex("session_id"), correlationID: vector.hex("corr_id"),
                entityID: vector.hex("entity_id"), payload: vector.hex("command"))
            if let seed = vector.optionalHex("seed") {
                #expect(try transmission.authorized == vector.hex("signed_bytes"))
                transmission.authenticator = Ed25519.sign(
                    transmission.authorized, with: try SecretSeed(copying: seed))
            }
            #expect(try transmission.authenticator == vector.hex("signature"))
            let block = try transmission.encodedBlock()
            #expect(try digestText(block) == vector.text("block_sha256"))
            #expect(try Array(block.prefix(64)) == vector.hex("block_first_64"))
            #expect(try XFTPBlock.unpad(block) == vector.hex("unpadded_block"))
            #expect(try Transmission(block: block) == transmission)
        }
    }

    @Test func `the session is part of what is signed, and is sent (trap 9)`() throws {
        let transmission = try Transmission(sessionID: [1, 2, 3], payload: Array("PING".utf8))
        #expect(transmission.authorized == [3, 1, 2, 3, 0, 0] + Array("PING".utf8))
        let block = try transmission.encodedBlock()
        #expect(Array(block[5...].prefix(7)) == [0, 3, 1, 2, 3, 0, 0])
    }

    @Test func `fields over 255 bytes and a payload over a block are refused`() throws {
        let long = [UInt8](repeating: 1, count: 256)
        #expect(throws: XFTPWireError.self) { try Transmission(sessionID: long, payload: []) }
        #expect(throws: XFTPWireError.self) {
            try Transmission(sessionID: [], correlationID: long, payload: [])
        }
        #expect(throws: XFTPWireError.self) { try Transmission(sessionID: [], entityID: long, payload: []) }
        // Count, length of the transmission, and four empty fields go from what a block holds.
        let most = [UInt8](repeating: 1, count: 16_382 - 3 - 4)
        #expect(
            try Transmission(block: Transmission(sessionID: [], payload: most).encodedBlock()).payload == most
        )
        #expect(throws: XFTPWireError.self) {
            try Transmission(sessionID: [], payload: most + [1]).encodedBlock()
        }
    }
}
