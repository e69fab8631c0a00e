import FaultInjection
import Testing
import ValiseCryptoFiles
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

/// Keys as text, in all forms that occur, and in those that should not.
struct CryptoFileTextTests {
    private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd_v8="
    private static let nonce = "AAECAwQFBgcICQoLDA0ODxAREhMUFf3-"
    private static let args = #"{"fileKey":"\#(key)","fileNonce":"\#(nonce)"}"#

    private func expected() throws -> CryptoFileArgs {
        try CryptoFileArgs(
            fileKey: (0..<30).map { UInt8($0) } + [0xfe, 0xff],
            fileNonce: (0..<22).map { UInt8($0) } + [0xfd, 0xfe])
    }

    @Test func `what is written is base64url with padding`() throws {
        let args = try expected()
        #expect(text(try args.json()) == Self.args)
        #expect(
            text(try CryptoFile(filePath: #"a "b"/ü.jpg"#, cryptoArgs: args).json())
                == #"{"filePath":"a \"b\"/ü.jpg","cryptoArgs":\#(Self.args)}"#)
        #expect(text(try CryptoFile(filePath: "a").json()) == #"{"filePath":"a"}"#)
    }

    @Test(arguments: [
        args,
        "  \n{ \"fileNonce\" :\t\"\(nonce)\" , \"fileKey\":\"\(key)\" }\r\n",
        args.replacing("=", with: ""),
        args.replacing("_", with: "/").replacing("-", with: "+"),
        args.replacing("_", with: #"\/"#),
        args.replacing("_", with: #"\u005f"#).replacing("A", with: #"\u0041"#),
        #"{"filePath":"x","cryptoArgs":\#(args)}"#,
        #"{"type":"result","cryptoArgs":\#(args)}"#,
        #"{"_owsf":true,"result":{"cryptoArgs":\#(args)}}"#,
        #"{"more":[1,-2.5e3,null,{"a":[]},"😀 \ud83d\ude00"],"cryptoArgs":\#(args),"z":false}"#,
        "key=\(key) nonce=\(nonce)",
        "key=\(key) nonce=\(nonce) folder/some name.jpg\n",
    ])
    func `every form that occurs is read`(form: String) throws {
        #expect(try CryptoFileArgs(text: secret(form)).equals(expected()))
    }

    @Test func `a path is read with the keys, and without`() throws {
        let file = try CryptoFile(text: secret(#"{"filePath":"a\u00fc\"\\.jpg","cryptoArgs":\#(Self.args)}"#))
        #expect(file.filePath == #"aü"\.jpg"#)
        #expect(try #require(file.cryptoArgs).equals(expected()))
        #expect(try CryptoFile(text: secret(#"{"filePath":"p"}"#)).cryptoArgs == nil)
        let command = try CryptoFile(text: secret("key=\(Self.key) nonce=\(Self.nonce) a  b.jpg\n"))
        #expect(command.filePath == "a  b.jpg")
        #expect(try CryptoFile(text: secret("just a path.jpg")).filePath == "just a path.jpg")
        #expect(throws: CryptoFileError.self) { try CryptoFile(text: secret(Self.args)) }
    }

    @Test func `a nonce of another length is cut or filled with zeros, a key is refused`() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let short = try CryptoFileArgs(fileKey: key, fileNonce: [1, 2])
        #expect(short.withBytes { Array($1) } == [1, 2] + [UInt8](repeating: 0, count: 22))
        let long = try CryptoFileArgs(fileKey: key, fileNonce: [UInt8](repeating: 9, count: 40))
        #expect(long.withBytes { Array($1) } == [UInt8](repeating: 9, count: 24))
        for count in [0, 31, 33] {
            let error = #expect(throws: CryptoFileError.self) {
                try CryptoFileArgs(fileKey: [UInt8](repeating: 7, count: count), fileNonce: [])
            }
            #expect(error?.code == .invalid)
        }
    }

    @Test(arguments: [
        "", " ", "{", "{}", "[]", "null", "{\"fileKey\":\"AAAA\"", #"{"fileKey":5,"fileNonce":6}"#,
        #"{"fileKey":"\#(key)"}"#, #"{"fileNonce":"\#(nonce)"}"#, "key=\(key)", "nonce=\(nonce)",
        args.replacing("AAEC", with: "AA!C"), args.replacing("AAEC", with: "AAE"), args + "x", args + args,
        #"{"fileKey":"\ud800","fileNonce":""}"#, #"{"fileKey":"\u12"}"#, #"{"fileKey":"\u+123"}"#,
        #"{"fileKey":"\x"}"#, #"{"fileKey":"\"#, "{\"fileKey\":\"a\nb\"}", #"{"a":tru}"#, #"{"a":1,}"#,
        String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 10_000),
        "{\"a\":" + String(repeating: "[", count: 17) + String(repeating: "]", count: 17) + "}",
        String(repeating: " ", count: 70_000) + args, "\u{0}", "key= nonce=",
    ])
    func `what is none is refused with its reason`(form: String) throws {
        let error = #expect(throws: CryptoFileError.self) { try CryptoFileArgs(text: secret(form)) }
        #expect(error?.code == .invalid)
        #expect(error.map { "\($0)" }?.contains("AAEC") == false)
    }

    @Test func `any change of a valid text is read or refused, and never anything else`() throws {
        let seed = CryptoFixture.seed("mutations")
        var random = SeededGenerator(seed: seed)
        let forms = [
            Self.args, #"{"_owsf":true,"result":{"cryptoArgs":\#(Self.args)}}"#,
            "key=\(Self.key) nonce=\(Self.nonce) some name", #"{"a":["\ud83d\ude00\n",1],"b":\#(Self.args)}"#,
        ].map { Array($0.utf8) }
        let alphabet = Array("{}[]\"\\:,=ud8tn0\u{0}é \n_-+/".utf8) + [0xff, 0x80]
        var (read, refused) = (0, 0)
        for _ in 0..<(CryptoFixture.isSoak ? 200_000 : 1000) {
            var bytes = forms.randomElement(using: &random)!
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.insert(alphabet.randomElement(using: &random)!, at: place)
                case 1 where !bytes.isEmpty: bytes.remove(at: place)
                case 2: bytes = Array(bytes.prefix(place))
                case 3 where !bytes.isEmpty: bytes[place] = .random(in: 0...255, using: &random)
                default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                }
            }
            do {
                _ = try CryptoFileArgs(text: SecretBytes(copying: bytes))
                read += 1
            } catch let error as CryptoFileError {
                #expect(error.code == .invalid)
                refused += 1
            }
            _ = try? CryptoFile(text: SecretBytes(copying: bytes))
        }
        #expect(read > 25 && refused > 25)
    }
}
