import Synchronization
import ValiseCryptography
package import ValiseEncoding
package import ValiseSecrets

/// Signatures of requests to S3: version 4, AWS's own description of 2013, with the digest of the body in a header.
package final class SigV4: Sendable {
    private static let algorithm = "AWS4-HMAC-SHA256"

    /// What the keys belong to: the name that goes with each signature.
    package let accessKey: String
    /// Such as `eu-west-3`.
    package let region: String
    private let secret: SharedSecret
    /// The key of the day, and the day.
    private let derived = Mutex<(day: String, key: SharedSecret)?>(nil)

    /// - Parameter secret: the secret key that belongs to the access key.
    package init(accessKey: String, secret: SharedSecret, region: String) {
        self.accessKey = accessKey
        self.secret = secret
        self.region = region
    }

    /// The value of the header `Authorization`.
    ///
    /// - Parameters:
    ///   - method: as it is sent.
    ///   - path: percent-encoded, from a slash on.
    ///   - query: as ``query(_:)`` has it.
    ///   - headers: names in small letters: all headers that are signed, among them `host` and `x-amz-date`.
    ///   - payload: the SHA-256 of the body, in hexadecimal.
    ///   - time: that of `x-amz-date`.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package func authorization(
        method: String, path: String, query: String, headers: [(name: String, value: String)],
        payload: String, time: UTCTime
    ) throws -> String {
        let headers = headers.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        let names = headers.map(\.name).joined(separator: ";")
        let lines = headers.map { "\($0.name):\(Self.collapsed($0.value))\n" }.joined()
        let canonical = [method, path, query, lines, names, payload].joined(separator: "\n")
        let scope = "\(Self.day(time))/\(region)/s3/aws4_request"
        let digest = Hexadecimal.encode(SHA256.hash(Array(canonical.utf8)))
        let text = [Self.algorithm, Self.stamp(time), scope, digest].joined(separator: "\n")
        let signature = try key(Self.day(time)).bytes.hmacSHA256(Array(text.utf8))
        let digits = unsafe signature.withBytes { unsafe Hexadecimal.encode($0) }
        return "\(Self.algorithm) Credential=\(accessKey)/\(scope),SignedHeaders=\(names),Signature=\(digits)"
    }

    /// Parameters in the one form that is signed: sorted and percent-encoded.
    package static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { (AddressCoding.encode($0.name), AddressCoding.encode($0.value)) }
            .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// A time as `x-amz-date` has it, such as `20130524T000000Z`.
    package static func stamp(_ time: UTCTime) -> String {
        "\(day(time))T\(time.timeText.filter { $0 != ":" })Z"
    }

    private static func day(_ time: UTCTime) -> String { time.dateText.filter { $0 != "-" } }

    /// Without spaces around it, and with one for several.
    private static func collapsed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    private func key(_ day: String) throws -> SharedSecret {
        if let known = derived.withLock({ $0 }), known.day == day { return known.key }
        let prefix = Array("AWS4".utf8)
        let start = try unsafe secret.bytes.withBytes { secret in
            try unsafe SecretBytes(capacity: prefix.count + secret.count) { memory in
                unsafe memory.copyBytes(from: prefix)
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[prefix.count...]).copyMemory(
                    from: secret)
                return memory.count
            }
        }
        let ofDay = try start.hmacSHA256(Array(day.utf8))
        let ofRegion = try ofDay.hmacSHA256(Array(region.utf8))
        let ofService = try ofRegion.hmacSHA256(Array("s3".utf8))
        let key = SharedSecret(try ofService.hmacSHA256(Array("aws4_request".utf8)))
        derived.withLock { $0 = (day, key) }
        return key
    }
}
