import Testing
import ValiseEncoding

@testable import ValiseStorage

/// What servers answer in XML and JSON, and what they must not.
struct RemoteDocumentTests {
    private func page(_ text: String) throws -> S3Document.Page { try S3Document.page(Array(text.utf8)) }

    @Test func `a page of a list is read, with namespaces, comments, entities and what nobody needs`() throws
    {
        let found = try page(
            """
            \u{feff}<?xml version="1.0" encoding="UTF-8"?><!-- > a list < -->
            <s3:ListBucketResult xmlns:s3='urn:"a>b"'><s3:Name>b</s3:Name>
              <s3:Contents><s3:Key>a&amp;b&#47;&#x63;</s3:Key><s3:Size>12</s3:Size><s3:Owner><s3:ID>7</s3:ID></s3:Owner>
              </s3:Contents>
              <s3:Contents><s3:Size>x</s3:Size><s3:Key>d<!-- no -->e<![CDATA[<&]]></s3:Key></s3:Contents>
              <s3:Empty/><s3:IsTruncated>true</s3:IsTruncated>
              <s3:CommonPrefixes><s3:Prefix>p</s3:Prefix></s3:CommonPrefixes>
              <s3:NextContinuationToken>t+/=</s3:NextContinuationToken></s3:ListBucketResult >

            """)
        #expect(found.files == [.init(key: "a&b/c", size: 12), .init(key: "de<&", size: nil)])
        #expect(found.prefixes == ["p"])
        #expect(found.isTruncated && found.continuation == "t+/=")
        #expect(try page("<ListBucketResult/>") == S3Document.Page())
    }

    @Test(arguments: [
        "", "<", "<>", "text", "<ListBucketResult>", "<ListBucketResult></Other>",
        "<Error><Code>a</Code></Error>",
        "<ListBucketResult/><ListBucketResult/>", "<ListBucketResult/>x", "</ListBucketResult>",
        "<!DOCTYPE a><ListBucketResult/>", "<ListBucketResult><!ENTITY a 'b'></ListBucketResult>",
        "<ListBucketResult>&a;</ListBucketResult>", "<ListBucketResult>&#0;</ListBucketResult>",
        "<ListBucketResult>&#xd800;</ListBucketResult>",
        "<ListBucketResult>&#99999999999;</ListBucketResult>",
        "<ListBucketResult>&amp</ListBucketResult>", "<ListBucketResult>&;</ListBucketResult>",
        "<ListBucketResult><?php ?></ListBucketResult>", "<ListBucketResult><!-- </ListBucketResult>",
        "<ListBucketResult><![CDATA[ </ListBucketResult>", "<ListBucketResult a='b></ListBucketResult>",
        "<ListBucketResult a<b></ListBucketResult>", "<![CDATA[a]]><ListBucketResult/>",
    ])
    func `what is no such document is refused`(text: String) {
        #expect(throws: XMLReader.Invalid.self) { _ = try page(text) }
    }

    @Test func `a document that is too deep, a name that is too long and bytes that are no text are refused`()
    {
        let deep = String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)
        for text in [deep, "<\(String(repeating: "b", count: 300))/>"] {
            #expect(throws: XMLReader.Invalid.self) {
                _ = try page("<ListBucketResult>\(text)</ListBucketResult>")
            }
        }
        let bytes = Array("<ListBucketResult>".utf8) + [0xff] + Array("</ListBucketResult>".utf8)
        #expect(throws: XMLReader.Invalid.self) { _ = try S3Document.page(bytes) }
    }

    @Test func `no beginning of a document is one, and none of them traps`() throws {
        let text = Array(
            "<ListBucketResult a='b'><!--c--><Contents><Key>&lt;<![CDATA[d]]></Key></Contents></ListBucketResult>"
                .utf8)
        #expect(try S3Document.page(text).files == [.init(key: "<d", size: nil)])
        for count in 0..<text.count {
            #expect(throws: XMLReader.Invalid.self) { _ = try S3Document.page(Array(text.prefix(count))) }
        }
    }

    @Test func `an error is read`() {
        let text = "<Error><Code>NoSuchKey</Code><Message>a &lt;b&gt;</Message><Region>r</Region></Error>"
        #expect(
            S3Document.refusal(Array(text.utf8))
                == S3Document.Refusal(code: "NoSuchKey", message: "a <b>", region: "r"))
        for text in ["", "<html></html>", "<Error/>", "<Error><Message>a</Message></Error>"] {
            #expect(S3Document.refusal(Array(text.utf8)) == nil, "\(text)")
        }
    }

    private func elements(_ text: String) -> (nodes: [JSONNode], isComplete: Bool) {
        var reader = JSONElements(Array(text.utf8))
        var nodes: [JSONNode] = []
        while let node = reader.next() { nodes.append(node) }
        return (nodes, reader.isComplete)
    }

    @Test(arguments: [
        ("[]", 0), (" null\n", 0), ("[1]", 1), (" [ 1 , \"a]\\\",\" ,{\"b\":[1,{}]}, null ] \n", 4),
    ])
    func `the elements of an array are read one by one`(text: String, count: Int) {
        let found = elements(text)
        #expect(found.nodes.count == count && found.isComplete)
    }

    @Test(arguments: [
        "", "[", "]", "{}", "1", "nul", "nulls", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] x",
        "[\"a]", "[\"a\\",
        "[{]", "[{}}]", "[1,,2]", "[[1]",
    ])
    func `what is no array is not complete`(text: String) {
        #expect(!elements(text).isComplete)
    }
}
