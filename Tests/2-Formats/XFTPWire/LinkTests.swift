import Testing
import ValiseEncoding
import ValiseSecrets

@testable import ValiseXFTPWire

struct LinkTests {
    private static func percentEncoded(_ text: String) throws -> String {
        try SecretText.make { writer in Array(text.utf8).withUnsafeBytes { writer.appendPercentEncoded($0) } }
            .text
    }

    private static let prefix = "simplex:/file#/?desc="

    @Test func `the link of every vector is made byte for byte and read`() throws {
        for vector in try WireFixture.vectors("file-description") {
            guard let yaml = vector["yaml"] as? String else { continue }
            let uri = try vector.text("uri")
            #expect(try Self.prefix + Self.percentEncoded(yaml) == uri)
            if let length = vector["uri_len"] as? Int { #expect(uri.utf8.count == length) }
            if yaml.contains("party: sender") {
                #expect(throws: XFTPWireError.self) { try FileLink(uri) }
            } else if !yaml.contains("YWJj") {
                let link = try FileLink(uri)
                #expect(try link.description.yaml().text == yaml)
                #expect(try link.appLink().text == uri)
                #expect(link.data == nil)
            }
        }
    }

    @Test func `the data of the official fixture is read and made`() throws {
        let vector = try WireFixture.vector("file-description", "upstream fixture")
        let uri = try vector.text("uri_with_data")
        let data = "{\"something\":\"extra\",\"more\":true}"
        #expect(uri == (try vector.text("uri")) + "&data=" + (try Self.percentEncoded(data)))
        let description = try TransferFixture.description("files/size-100/rcv1.xftp")
        let link = try FileLink(description, data: data)
        let text = try link.appLink().text
        #expect(
            text == (try TransferFixture.link("files/size-100/rcv1.uri")) + "&data="
                + (try Self.percentEncoded(data)))
        #expect(try FileLink(text).data == data)
    }

    @Test(arguments: [
        "agent-transfer/rcv1", "agent-transfer/rcv2", "agent-transfer/redirect.rcv1",
        "files/size-300000/rcv1",
    ])
    func `links of the official programs are read and made byte for byte`(path: String) throws {
        let uri = try TransferFixture.link(path + ".uri")
        let link = try FileLink(uri)
        #expect(try link.description.yaml().text == TransferFixture.text(path + ".xftp"))
        #expect(try link.appLink().text == uri)
    }

    @Test(arguments: [
        "simplex:/file/#/?desc=", "https://simplex.chat/file#/?desc=",
        "https://example.com:8443/file/#/?desc=",
        " simplex:/file#/?other=1&desc=", "SIMPLEX:/file#/?x&desc=",
    ])
    func `other forms of the link are read`(prefix: String) throws {
        let uri = try TransferFixture.link("files/size-1/rcv1.uri")
        let link = try FileLink(uri.replacing(Self.prefix, with: prefix) + "&unknown=%zz\n")
        #expect(try link.appLink().text == uri)
        let spaces = uri.replacing("%20", with: "+").lowercasedEscapes
        #expect(try FileLink(spaces).appLink().text == uri)
    }

    @Test func `the link behind a host is made and read`() throws {
        let link = try FileLink(TransferFixture.link("files/size-1/rcv1.uri"))
        let text = try link.appLink(host: "simplex.chat").text
        #expect(text.hasPrefix("https://simplex.chat/file#/?desc=chunkSize"))
        #expect(try FileLink(text).description.digest == link.description.digest)
    }

    @Test func `web links of two other packers become the description`() throws {
        for vector in try WireFixture.vectors("file-description") {
            guard let yaml = vector["yaml"] as? String else { continue }
            for name in ["web_fragment_zlib_python", "web_fragment_pako"] {
                let fragment = try vector.text(name)
                let packed = try #require(Base64URL.decode(fragment))
                #expect(try DeflatedText.unpack(SecretBytes(copying: packed)).text == yaml)
                guard !yaml.contains("YWJj"), !yaml.contains("party: sender") else { continue }
                for start in ["https://relay1.example.org/#", "http://a/file/#", "https://a#"] {
                    let unpadded = fragment.replacing("=", with: "")
                    #expect(try FileLink(start + fragment).description.yaml().text == yaml)
                    #expect(try FileLink(start + unpadded + "\n").description.yaml().text == yaml)
                }
            }
        }
    }

    @Test func `a web link leads to the relay of the first chunk and comes back`() throws {
        let description = try FileDescription(
            yaml: Array(
                WireFixture.vector("file-description", "recipient description of three").text("yaml").utf8))
        let link = try FileLink(description)
        let text = try link.webLink().text
        #expect(text.hasPrefix("https://relay1.example.org/#"))
        #expect(try FileLink(text).description.yaml().text == description.yaml().text)
        #expect(try link.webLink(path: "/file/").text.hasPrefix("https://relay1.example.org/file/#"))
        var onion = description
        onion.chunks[0].replicas[0].server.hosts = [.onion("a.onion"), .ipv6("::1")]
        #expect(try FileLink(onion).webLink().text.hasPrefix("https://[::1]/#"))
    }

    @Test(arguments: [
        "", "simplex:/file", "simplex:/file#", "simplex:/file#/?", "simplex:/file#/?desc=",
        "simplex:/file#/?data=1",
        "simplex:/contact#/?desc=a", "https://a/b#/?desc=a", "ftp://a/file#/?desc=a", "https://a/#short",
        "simplex:/file#/?desc=%", "simplex:/file#/?desc=%4", "simplex:/file#/?desc=%4x", "file#/?desc=a",
        "simplex:/file#/?desc=a&desc=b", "https://a/#" + String(repeating: "A", count: 60),
        "https://a/#" + String(repeating: "_", count: 64), "https://a/#" + String(repeating: "é", count: 64),
    ])
    func `what is no link is refused`(text: String) {
        #expect(throws: XFTPWireError.self) { try FileLink(text) }
    }

    @Test(arguments: ["%FF", "%ED%A0%80"])
    func `data that is no text is refused`(data: String) throws {
        let uri = try TransferFixture.link("files/size-1/rcv1.uri")
        #expect(throws: XFTPWireError.self) { try FileLink(uri + "&data=" + data) }
        #expect(throws: XFTPWireError.self) { try FileLink(uri + "&data=1&data=2") }
        #expect(throws: XFTPWireError.self) {
            try FileLink(uri + "&data=" + String(repeating: "a", count: FileLink.largestData + 1))
        }
    }

    @Test func `only JSON goes into a link, and only a recipient's description`() throws {
        let description = try TransferFixture.description("files/size-1/rcv1.xftp")
        for data in ["", "{", "{\"a\":1}x", "nope"] {
            #expect(throws: XFTPWireError.self) { try FileLink(description, data: data) }
        }
        for data in ["{}", "[1,\"é\"]", "null", "\"text\""] {
            #expect(try FileLink(FileLink(description, data: data).appLink().text).data == data)
        }
        let sender = try TransferFixture.description("files/size-1/snd.xftp.private")
        #expect(throws: XFTPWireError.self) { try FileLink(sender) }
    }

    @Test func `a file with one chunk fits into a QR code, one with five needs a redirect`() throws {
        let one = try FileLink(TransferFixture.link("files/size-1/rcv1.uri")).appLink()
        #expect(!RedirectRules.isNeeded(appLinkLength: one.count))
        #expect(!RedirectRules.isNeeded(appLinkLength: 1002))
        #expect(RedirectRules.isNeeded(appLinkLength: 1003))
        #expect(!RedirectRules.isNeeded(fragmentLength: 400, chunkCount: 2))
        #expect(RedirectRules.isNeeded(fragmentLength: 401, chunkCount: 2))
        #expect(!RedirectRules.isNeeded(fragmentLength: 401, chunkCount: 1))
        var description = try TransferFixture.description("files/size-1/rcv1.xftp")
        for number in 2...5 {
            var chunk = description.chunks[0]
            chunk.number = number
            description.chunks.append(chunk)
            description.size += chunk.size
        }
        #expect(try RedirectRules.isNeeded(appLinkLength: FileLink(description).appLink().count))
    }

    @Test func `a link that unpacks to more than any description is refused soon`() throws {
        let bomb = try SecretBytes(capacity: FileDescription.largestYAML + 1) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0x20)
            return memory.count
        }
        let packed = try DeflatedText.pack(bomb).withBytes { Base64URL.encode(Array($0)) }
        #expect(packed.utf8.count < 20_000)
        let duration = ContinuousClock().measure {
            let error = #expect(throws: XFTPWireError.self) { try FileLink("https://a/#" + packed) }
            #expect(error?.message.contains("too large") == true)
        }
        #expect(duration < .seconds(10))
    }

    @Test func `what begins like a link is told from the name of a file`() {
        #expect(FileLink.isLink("simplex:/file#/?desc=a"))
        #expect(FileLink.isLink("HTTPS://a"))
        #expect(!FileLink.isLink("simplex.xftp"))
        #expect(!FileLink.isLink("/home/simplex:/file"))
    }
}

extension String {
    /// Escapes as others may write them.
    fileprivate var lowercasedEscapes: String { replacing("%3A", with: "%3a").replacing("%2F", with: "%2f") }
}
