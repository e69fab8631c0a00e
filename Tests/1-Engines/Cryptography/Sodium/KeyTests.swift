import Testing
import ValiseCryptography
import ValiseSecrets

/// Vectors of the fact sheet, computed by PyNaCl and by libsodium.js.
@Suite struct KeyTests {
    private let seed: SecretSeed
    private let other: SecretSeed

    init() throws {
        seed = try SecretSeed(copying: (1...32).map { UInt8($0) })
        other = try SecretSeed(copying: (33...64).map { UInt8($0) })
    }

    @Test func aSeedHasItsEd25519PublicKey() {
        #expect(
            hexadecimal(Ed25519.publicKey(of: seed))
                == "79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664")
    }

    @Test func aSignatureIsThatOfOthersAndVerifies() {
        let message = Array("test message".utf8)
        let signature = Ed25519.sign(message, with: seed)
        #expect(
            hexadecimal(signature)
                == "eabb97ec2ca311392f7aaa2760a250e56595d757c0c87004d53ffb904a0c4dd8"
                + "6e2bb32db456e1ed0b9653324fe9212f184b88e626f07caa37280748d144ce0d")
        #expect(Ed25519.verify(signature, of: message, publicKey: Ed25519.publicKey(of: seed)))
    }

    @Test func aSignatureOfAnotherMessageOrKeyOrLengthIsRefused() {
        let message = Array("test message".utf8)
        let signature = Ed25519.sign(message, with: seed)
        let publicKey = Ed25519.publicKey(of: seed)
        #expect(!Ed25519.verify(signature, of: message + [0], publicKey: publicKey))
        #expect(!Ed25519.verify(signature, of: message, publicKey: Ed25519.publicKey(of: other)))
        #expect(!Ed25519.verify(Array(signature.dropLast()), of: message, publicKey: publicKey))
        #expect(!Ed25519.verify([], of: message, publicKey: publicKey))
        #expect(!Ed25519.verify(signature, of: message, publicKey: []))
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 0x10
            #expect(!Ed25519.verify(changed, of: message, publicKey: publicKey))
        }
    }

    @Test func bothPartiesAgreeOnTheSameSecret() throws {
        let mine = X25519.publicKey(of: seed)
        let theirs = X25519.publicKey(of: other)
        #expect(hexadecimal(mine) == "07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7c")
        #expect(hexadecimal(theirs) == "5869aff450549732cbaaed5e5df9b30a6da31cb0e5742bad5ad4a1a768f1a67b")
        let shared = try X25519.sharedSecret(seed, with: theirs)
        #expect(shared.equals(try X25519.sharedSecret(other, with: mine)))
        #expect(
            shared.withBytes { hexadecimal($0) }
                == "a84dc7c3c8f058b1b2dc4cd1e9b5dc0a7987f88b6a9564cde3391fc421159e77")
    }

    @Test func aKeyThatAgreesOnNothingIsRefused() {
        #expect(throws: SodiumError.self) {
            try X25519.sharedSecret(seed, with: Array(repeating: 0, count: 32))
        }
        #expect(throws: SodiumError.self) {
            try X25519.sharedSecret(seed, with: [1] + Array(repeating: 0, count: 31))
        }
        #expect(throws: SodiumError.self) { try X25519.sharedSecret(seed, with: [1, 2, 3]) }
    }

    @Test func anAuthenticatorIsThatOfOthersAndIsVerified() throws {
        let shared = try X25519.sharedSecret(other, with: X25519.publicKey(of: seed))
        let message = Array("hello world authenticator test".utf8)
        let nonce = (0..<24).map { UInt8($0) }
        let authenticator = CryptoBox.authenticator(of: message, secret: shared, nonce: nonce)
        #expect(
            hexadecimal(authenticator)
                == "c15c26dfac0e465f855a9aa38179e34fd6095e7cdbeb3e29df8717b3bce03444fa93651c1c77b881"
                + "35f95046e03128fb319695476e71a6db95affe783f5522b60e21d49b077a6f1a56ccbad398f45a4f")
        func isValid(_ claimed: [UInt8], _ message: [UInt8], _ nonce: [UInt8]) -> Bool {
            CryptoBox.isAuthenticator(claimed, of: message, secret: shared, nonce: nonce)
        }
        #expect(isValid(authenticator, message, nonce))
        #expect(isValid(authenticator, message, nonce + [7]))
        #expect(!isValid(authenticator, message + [0], nonce))
        #expect(!isValid(authenticator, message, Array(nonce.dropLast())))
        #expect(!isValid(Array(authenticator.dropLast()), message, nonce))
        #expect(!isValid([], message, nonce))
    }

    @Test func aNonceIsCutOrFilledWithZeros() {
        #expect(SecretBox.nonce(from: [1, 2]) == [1, 2] + Array(repeating: 0, count: 22))
        #expect(SecretBox.nonce(from: Array(0..<30)) == Array(0..<24))
        #expect(SecretBox.randomNonce().count == 24)
        #expect(SecretBox.randomNonce() != SecretBox.randomNonce())
    }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}
