package import ValiseFiles

/// What is asked of a server of HTTP.
package struct HTTPRequest: Sendable {
    /// What is done; the raw value is its name in small letters.
    package enum Method: String, Sendable {
        case get, head, put, post, delete

        /// As it is sent.
        package var text: String { rawValue.uppercased() }
    }

    /// What is done.
    package let method: Method
    /// Percent-encoded, without user, password and fragment.
    package var url: String
    /// Beside those that libcurl adds.
    package var headers: [(name: String, value: String)]
    /// Nil for none, which is something else than an empty one.
    package var body: [UInt8]?
    /// What is sent as the body instead, read while it is sent, from its start again where a connection has to be made anew.
    package var source: (any ByteSource)?
    /// The longest body of an answer that is read; the rest is left out.
    package var mostBytes: Int
    /// Whether an answer may name another place on the same host. A signature is for one place only.
    package var followsRedirects = true

    /// - Parameters:
    ///   - url: percent-encoded.
    ///   - mostBytes: the longest body of an answer that is read.
    package init(
        _ method: Method, _ url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, mostBytes: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.mostBytes = mostBytes
    }
}

/// Gets the body of an answer that is a success piece by piece, as it comes.
@safe package struct HTTPReceiver {
    private let body: (_ piece: UnsafeRawBufferPointer, _ head: HTTPResponse) throws -> Void

    /// - Parameter body: gets pieces, which last for the call only, with the head of the answer; throws to end the request.
    package init(_ body: @escaping (_ piece: UnsafeRawBufferPointer, _ head: HTTPResponse) throws -> Void) {
        unsafe self.body = unsafe body
    }

    func take(_ piece: UnsafeRawBufferPointer, _ head: HTTPResponse) throws { try unsafe body(piece, head) }
}

/// What a server answered, whatever its status.
package struct HTTPResponse: Sendable {
    /// Such as 200.
    package let status: Int
    /// In the order of the answer, names in small letters.
    package let headers: [(name: String, value: String)]
    /// Empty for none.
    package let body: [UInt8]
    /// Whether the body was longer than the request allows, and is left out from there.
    package let isCut: Bool

    /// A header, the last one where there are several.
    package subscript(_ name: String) -> String? { headers.last { $0.name == name }?.value }

    /// The length that the server says; nil where it says none or no number.
    package var contentLength: Int64? {
        guard let text = self["content-length"], let length = Int64(text), length >= 0 else { return nil }
        return length
    }

    /// Whether the request was done.
    package var isSuccess: Bool { (200..<300).contains(status) }
}
