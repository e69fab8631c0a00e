import StoreContract
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseStorage

/// Signatures, against the examples that AWS has published with its description of version 4 for S3 (2013-05-24).
struct SigV4Tests {
    private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private let signer: SigV4

    init() throws {
        signer = SigV4(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secret: try StoragePeer.secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), region: "us-east-1")
    }

    private func signature(
        _ method: String, _ path: String, _ query: [(name: String, value: String)] = [],
        _ headers: [(name: String, value: String)] = [], payload: String = Self.emptyDigest
    ) throws -> String {
        let time = try #require(UTCTime(year: 2013, month: 5, day: 24))
        let headers =
            headers + [
                ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payload),
                ("x-amz-date", SigV4.stamp(time)),
            ]
        return try signer.authorization(
            method: method, path: AddressCoding.encode(path, keeping: "/"), query: SigV4.query(query),
            headers: headers, payload: payload, time: time)
    }

    @Test func `GET of an object, with a range`() throws {
        #expect(
            try signature("GET", "/test.txt", [], [("range", "bytes=0-9")])
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test func `PUT of an object`() throws {
        let payload = Hexadecimal.encode(SHA256.hash(Array("Welcome to Amazon S3.".utf8)))
        let headers = [
            (name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
            (name: "date", value: "Fri, 24 May 2013 00:00:00 GMT"),
        ]
        let found = try signature("PUT", "/test$file.text", [], headers, payload: payload)
        #expect(found.hasSuffix("=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
        #expect(found.contains("=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,"))
    }

    @Test func `GET of the lifecycle of a bucket`() throws {
        let found = try signature("GET", "/", [("lifecycle", "")])
        #expect(found.hasSuffix("=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
    }

    @Test func `a list of objects`() throws {
        let found = try signature("GET", "/", [("prefix", "J"), ("max-keys", "2")])
        #expect(found.hasSuffix("=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
        // The key of the day is kept, and is the same.
        #expect(try found == signature("GET", "/", [("max-keys", "2"), ("prefix", "J")]))
    }

    @Test func `a query is sorted and encoded, and spaces in values count once`() throws {
        #expect(
            SigV4.query([("prefix", "a/b c"), ("a", "é+&="), ("list-type", "2")])
                == "a=%C3%A9%2B%26%3D&list-type=2&prefix=a%2Fb%20c")
        #expect(try signature("GET", "/", [], [("a", " b  c ")]) == signature("GET", "/", [], [("a", "b c")]))
        #expect(SigV4.stamp(UTCTime(seconds: 1_400_000_000)) == "20140513T165320Z")
    }
}
