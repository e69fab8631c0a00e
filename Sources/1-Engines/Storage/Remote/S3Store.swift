import Synchronization
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

/// A repository in a bucket of S3, with the layout that restic has there. There are no folders: a prefix is a part of a name.
package final class S3Store: BlobStore {
    package let location: String
    let settings: Settings
    /// Empty, or with a slash at its end.
    let prefix: String
    private let signer: SigV4
    private let transfer: HTTPTransfer
    private let now: @Sendable () -> Int64
    /// Whether the server may know `If-None-Match`: true until it says that it does not.
    private let knowsConditions = Atomic(true)

    /// - Parameters:
    ///   - settings: which bucket, where, and with which keys.
    ///   - connection: how the server is reached, without a user.
    ///   - now: the time of the signatures, in seconds since 1970.
    ///   - checkpoint: is asked often while a request runs; throw to stop.
    /// - Throws: ``StorageError``: `invalid` for the name of a bucket.
    package init(
        _ settings: Settings, _ connection: HTTPTransfer.Settings = HTTPTransfer.Settings(),
        now: @escaping @Sendable () -> Int64 = UTCTime.clock,
        checkpoint: @escaping @Sendable () throws -> Void = {}
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

    /// Makes nothing: buckets are made by those who pay for them.
    package func create() throws { _ = try page(prefix: prefix, after: nil, most: 1) }

    // MARK: Reading

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        guard let range else {
            let response = try send(.get, name, mostBytes: name.mostBytes)
            guard response.status == 200 else { throw failure(response, name.description) }
            return try response.wholeContent(name)
        }
        if range.isEmpty {
            guard try range.lowerBound >= 0 && range.upperBound <= size(of: name) else {
                throw StorageError.tooShort(name)
            }
            return []
        }
        let header = try range.header(name)
        // An error has a document of its own.
        let response = try send(.get, name, headers: [header], mostBytes: max(range.count, 1 << 16))
        guard response.isSuccess || response.status == 416 else { throw failure(response, name.description) }
        return try response.content(of: range, name)
    }

    package func size(of name: StoredName) throws -> Int64 {
        let response = try send(.head, name)
        guard response.isSuccess else {
            // Such an answer has no body, and so no reason. The same question with one has.
            guard response.status != 404 else { throw failure(response, name.description) }
            let explained = try send(.get, name, headers: [("Range", "bytes=0-0")], mostBytes: 1 << 16)
            throw failure(explained.isSuccess ? response : explained, name.description)
        }
        guard let size = response.contentLength else {
            throw StorageError(
                .answer, .failed, "the server does not say the size of the file", name.description)
        }
        return size
    }

    // MARK: Writing

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        if name == .config, try isStored(name, content) { return }
        var response = try send(.put, name, content, isConditional: knowsConditions.load(ordering: .relaxed))
        if response.status == 501, knowsConditions.exchange(false, ordering: .relaxed) {
            response = try send(.put, name, content, isConditional: false)
        }
        if response.isSuccess { return }
        if response.status == 412, try isStored(name, content) { return }
        throw failure(response, name.description)
    }

    private func send(
        _ method: HTTPRequest.Method, _ name: StoredName, _ content: [UInt8], isConditional: Bool
    ) throws -> HTTPResponse {
        let condition = isConditional ? [(name: "If-None-Match", value: "*")] : []
        return try send(method, name, headers: condition, body: content)
    }

    /// Whether a file of this name has the content. A digest for a name says enough, together with the size.
    /// - Throws: ``StorageError``: `alreadyExists` for another content.
    private func isStored(_ name: StoredName, _ content: [UInt8]) throws -> Bool {
        do {
            let isSame =
                name == .config ? try get(name) == content : try size(of: name) == Int64(content.count)
            guard isSame else { throw StorageError.occupied(name) }
            return true
        } catch let error as StorageError where error.code == .notFound {
            return false
        }
    }

    package func remove(_ name: StoredName) throws {
        let response = try send(.delete, name)
        if response.isSuccess || response.status == 404 && !isBucketMissing(response) { return }
        let error = failure(response, name.description)
        // The keys are valid: what they may not do is to remove.
        let isRefused = ["AccessDenied", "MethodNotAllowed", "InvalidRequest", "ObjectLocked"]
            .contains(S3Document.refusal(response.body)?.code ?? "-")
        throw isRefused ? StorageError.keepsEverything(name) : error
    }

    private func isBucketMissing(_ response: HTTPResponse) -> Bool {
        S3Document.refusal(response.body)?.code == "NoSuchBucket"
    }

    // MARK: Requests

    private func send(
        _ method: HTTPRequest.Method, _ name: StoredName, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, mostBytes: Int = 1 << 20
    ) throws -> HTTPResponse {
        // A name is the digest already, and the server compares what it gets with it.
        var payload: String?
        if body != nil, case .file(_, let id) = name { payload = id.text }
        return try send(
            method, key: prefix + name.path, headers: headers, body: body, payload: payload,
            mostBytes: mostBytes)
    }

    /// Signs a request and runs it.
    /// - Parameters:
    ///   - key: nil for the bucket itself.
    ///   - payload: the SHA-256 of the body, where it is known.
    func send(
        _ method: HTTPRequest.Method, key: String?, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, payload: String? = nil,
        mostBytes: Int
    ) throws -> HTTPResponse {
        let (host, path) = place(of: key)
        let query = SigV4.query(query)
        let time = UTCTime(seconds: now())
        let payload = payload ?? Hexadecimal.encode(SHA256.hash(body ?? []))
        var signed = headers.map { (name: $0.name.lowercased(), value: $0.value) }
        signed += [("x-amz-content-sha256", payload), ("x-amz-date", SigV4.stamp(time))]
        if let token = settings.sessionToken {
            let text = unsafe token.bytes.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            signed.append(("x-amz-security-token", text))
        }
        if body != nil { signed.append(("content-type", "application/octet-stream")) }
        let authorization = try signer.authorization(
            method: method.text, path: path, query: query, headers: signed + [("host", host)],
            payload: payload,
            time: time)
        let url = "\(settings.endpoint.scheme)://\(host)\(path)" + (query.isEmpty ? "" : "?\(query)")
        var request = HTTPRequest(
            method, url, headers: signed + [("Authorization", authorization)], body: body,
            mostBytes: mostBytes)
        request.followsRedirects = false
        return try transfer.perform(request)
    }

    /// The host and the percent-encoded path of a file, or of the bucket.
    private func place(of key: String?) -> (host: String, path: String) {
        let endpoint = settings.endpoint
        let encoded = key.map { AddressCoding.encode($0, keeping: "/") } ?? ""
        guard settings.isPathStyle else {
            return ("\(settings.bucket).\(endpoint.authority)", "\(endpoint.path)/\(encoded)")
        }
        return (endpoint.authority, "\(endpoint.path)/\(settings.bucket)\(key == nil ? "" : "/")\(encoded)")
    }
}
