package import ValiseChatSchema
package import ValiseComposition
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// Loads the preview of a page that a text links to: its title, a description and a picture. The page's server sees the address of
/// this machine, so nobody does it unasked.
package struct LoadLinkPreview: Operation {
    /// What a page may take.
    package struct Limits: Sendable {
        /// For everything, redirects and the picture included, in seconds.
        package var seconds = 10
        /// Of the page; the rest is left out.
        package var pageBytes = PageOutline.mostBytes
        /// Of its picture; a larger one is left out.
        package var pictureBytes = 8 << 20
        package var redirects = 5
        /// Whether addresses of this machine and of its own networks are allowed: for tests, and for pages at home.
        package var allowsPrivate = false
        /// Whether a proxy finds the address, which is then not known here.
        package var isProxied = false

        package init() {}
    }

    package var link: String
    package var limits: Limits
    /// Reads its picture.
    package var pictures: PicturePreparer

    /// - Parameters:
    ///   - link: the address of the page, `http` or `https`.
    ///   - limits: what it may take.
    ///   - pictures: reads its picture.
    package init(
        _ link: String, limits: Limits = Limits(), pictures: PicturePreparer = PictureProcess.preparer
    ) {
        self.link = link
        self.limits = limits
        self.pictures = pictures
    }

    /// - Throws: ``OperationError``: `invalid` for what is no address of the web, `denied` for a private one, `unsupported` for what
    ///   is no page, `notFound` for a page without a title and a picture, `failed` where it takes too long; `StorageError` of the
    ///   connection.
    package func run(in context: OperationContext) async throws -> MessageContent.LinkPreview {
        try await context.blocking { [self] progress in
            try progress(OperationProgress("loading the preview", unit: .items))
            return try PageLoading(self, context).preview()
        }
    }
}

/// A page has a picture that does not go with its preview.
package struct LeftOutPictureNote: OperationNote {
    package let text: String

    init(_ link: String, _ error: any Error) {
        let reason = (error as? any Failure).map(\.message) ?? String(describing: error)
        text = "the preview of \(link) has no picture: \(reason)"
    }
}

/// One page while it is loaded.
private struct PageLoading {
    private let link: String
    private let limits: LoadLinkPreview.Limits
    private let pictures: PicturePreparer
    private let transfer: HTTPTransfer
    private let context: OperationContext

    init(_ call: LoadLinkPreview, _ context: OperationContext) {
        let (link, limits) = (call.link, call.limits)
        self.link = link
        self.limits = limits
        pictures = call.pictures
        self.context = context
        let seconds = limits.seconds
        let deadline = ContinuousClock.now + .seconds(seconds)
        var settings = HTTPTransfer.Settings()
        (settings.connectSeconds, settings.stallSeconds) = (seconds, seconds)
        if !limits.allowsPrivate, !limits.isProxied { settings.allows = { $0.isPublic } }
        transfer = HTTPTransfer(settings) {
            if context.isStopped { throw Interruption() }
            if ContinuousClock.now > deadline {
                throw OperationError(.failed, "the page takes longer than \(seconds) s", subject: link)
            }
        }
    }

    private func check() throws { if context.isStopped { throw Interruption() } }

    func preview() throws -> MessageContent.LinkPreview {
        let (answer, address) = try load(
            link, accepting: "text/html, application/xhtml+xml;q=0.9", upTo: limits.pageBytes)
        let (type, charset) = Self.type(answer["content-type"])
        guard ["text/html", "application/xhtml+xml"].contains(type) else {
            throw failure(.unsupported, "not a page but \(type.isEmpty ? "of no type" : type)")
        }
        let outline = PageOutline(html: answer.body, at: address.text, charset: charset)
        guard !outline.isEmpty else { throw failure(.notFound, "the page has neither a title nor a picture") }
        return MessageContent.LinkPreview(
            uri: link, title: outline.title, description: outline.description,
            image: try outline.image.flatMap(picture))
    }

    /// A picture that cannot be had does not keep the preview back.
    private func picture(_ place: String) throws -> String? {
        do {
            let (answer, _) = try load(place, accepting: "image/*", upTo: limits.pictureBytes)
            guard !answer.isCut else { throw failure(.unsupported, "the picture is too large") }
            return try pictures.prepare(answer.body, checkpoint: check).preview
        } catch let error as Interruption {
            throw error
        } catch {
            context.note(LeftOutPictureNote(link, error))
            return nil
        }
    }

    private func load(
        _ place: String, accepting types: String, upTo most: Int
    ) throws -> (answer: HTTPResponse, address: WebPageAddress) {
        var address = try checked(WebPageAddress(place))
        for _ in 0...limits.redirects {
            var request = HTTPRequest(
                .get, address.text, headers: [(name: "Accept", value: types)], mostBytes: most)
            request.followsRedirects = false
            let answer = try transfer.perform(request)
            if let next = try redirect(answer, from: address) {
                address = next
                continue
            }
            guard answer.isSuccess else {
                throw failure(.failed, "the server responds with status \(answer.status)")
            }
            return (answer, address)
        }
        throw failure(.failed, "more than \(limits.redirects) redirects")
    }

    private func redirect(_ answer: HTTPResponse, from address: WebPageAddress) throws -> WebPageAddress? {
        guard [301, 302, 303, 307, 308].contains(answer.status), let place = answer["location"] else {
            return nil
        }
        return try checked(address.resolve(place).flatMap(WebPageAddress.init))
    }

    private static let localNames = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".onion"]

    /// What a proxy would be asked for is not known to libcurl.
    private func checked(_ address: WebPageAddress?) throws(OperationError) -> WebPageAddress {
        guard let address else { throw failure(.invalid, "not an address of the web") }
        if !limits.allowsPrivate, !Self.isPublic(address.authority) {
            throw failure(.denied, "\(address.authority) is not on the public network")
        }
        return address
    }

    /// Whether a host may be one that anybody reaches: no name that never leaves a machine or its network, no private address.
    private static func isPublic(_ authority: String) -> Bool {
        if authority.hasPrefix("[") { return NetworkAddress(literal: authority)?.isPublic ?? false }
        let host = authority.prefix { $0 != ":" }
        guard host.contains("."), !localNames.contains(where: { host.hasSuffix($0) }) else { return false }
        return NetworkAddress(literal: String(host))?.isPublic ?? true
    }

    private func failure(_ code: FailureCode, _ message: String) -> OperationError {
        OperationError(code, message, subject: link)
    }

    /// `text/html; charset="utf-8"` in its parts, in small letters.
    private static func type(_ header: String?) -> (type: String, charset: String?) {
        let parts = (header ?? "").lowercased().split(separator: ";").map(\.trimmingSpaces)
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        return (String(parts.first ?? ""), charset.map { $0.filter { $0 != "\"" && $0 != "'" } })
    }
}
