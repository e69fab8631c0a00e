import Synchronization
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

/// A bucket of S3, or the part of it below a prefix: signed requests, and what their answers mean.
///
/// What its objects are and how they are named, the stores know that use it.
final class S3Bucket: Sendable {
    let settings: S3Store.Settings
    /// How messages name it.
    let location: String
    /// Empty, or with a slash at its end: what all keys begin with.
    let prefix: String
    private let signer: SigV4
    private let transfer: HTTPTransfer
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - settings: which bucket, where, and with which keys.
    ///   - connection: how the server is reached, without a user.
    ///   - now: the time of the signatures, in seconds since 1970.
    ///   - checkpoint: is asked often while a request runs; throw to stop.
    /// - Throws: ``StorageError``: `invalid` for the name of a bucket.
    init(
        _ settings: S3Store.Settings, _ connection: HTTPTransfer.Settings,
        now: @escaping @Sendable () -> Int64,
        checkpoint: @escaping @Sendable () throws -> Void
    ) throws(StorageError) {
        guard Self.isBucket(settings.bucket) else {
            throw StorageError(.general, .invalid, "not a name of a bucket", settings.bucket)
        }
        self.settings = settings
        let parts = settings.prefix.split(separator: "/")
        prefix = parts.map { "\($0)/" }.joined()
        location = ([settings.endpoint.text, settings.bucket] + parts.map(String.init)).joined(separator: "/")
        signer = SigV4(accessKey: settings.accessKey, secret: settings.secret, region: settings.region)
        self.now = now
        var connection = connection
        (connection.user, connection.password) = (nil, nil)
        transfer = HTTPTransfer(connection, checkpoint: checkpoint)
    }

    /// What is safe in the name of a host and in a path; servers say what else they want.
    private static func isBucket(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Signs a request and runs it.
    /// - Parameters:
    ///   - key: below the prefix; nil for the bucket itself.
    ///   - body: nil for none, which is something else than an empty one.
    ///   - source: is sent as the body instead.
    ///   - payload: the SHA-256 of the body, where it is known.
    ///   - mostBytes: the longest body of an answer that is read.
    ///   - receiver: gets the body of a success, which the answer does not have then.
    func send(
        _ method: HTTPRequest.Method, key: String?, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, source: ObjectSource? = nil,
        payload: String? = nil, mostBytes: Int = 1 << 20, to receiver: HTTPReceiver? = nil
    ) throws -> HTTPResponse {
        let (host, path) = place(of: key.map { prefix + $0 })
        let query = SigV4.query(query)
        let time = UTCTime(seconds: now())
        let payload = payload ?? Hexadecimal.encode(source?.digest ?? SHA256.hash(body ?? []))
        var signed = headers.map { (name: $0.name.lowercased(), value: $0.value) }
        signed += [("x-amz-content-sha256", payload), ("x-amz-date", SigV4.stamp(time))]
        if let token = settings.sessionToken {
            let text = unsafe token.bytes.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            signed.append(("x-amz-security-token", text))
        }
        if body != nil || source != nil { signed.append(("content-type", "application/octet-stream")) }
        let authorization = try signer.authorization(
            method: method.text, path: path, query: query, headers: signed + [("host", host)],
            payload: payload, time: time)
        let url = "\(settings.endpoint.scheme)://\(host)\(path)" + (query.isEmpty ? "" : "?\(query)")
        var request = HTTPRequest(
            method, url, headers: signed + [("Authorization", authorization)], body: body,
            mostBytes: mostBytes)
        request.source = source?.bytes
        request.followsRedirects = false
        return try transfer.perform(request, to: receiver)
    }

    /// The host and the percent-encoded path of an object, or of the bucket.
    private func place(of key: String?) -> (host: String, path: String) {
        let endpoint = settings.endpoint
        let encoded = key.map { AddressCoding.encode($0, keeping: "/") } ?? ""
        guard settings.isPathStyle else {
            return ("\(settings.bucket).\(endpoint.authority)", "\(endpoint.path)/\(encoded)")
        }
        return (endpoint.authority, "\(endpoint.path)/\(settings.bucket)\(key == nil ? "" : "/")\(encoded)")
    }
}
