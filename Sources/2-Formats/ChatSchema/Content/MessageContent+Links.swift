package import ValiseEncoding

extension MessageContent {
    /// The preview of a page.
    public struct LinkPreview: Sendable, Equatable {
        /// Of the page.
        public let uri: String
        /// May be empty.
        public let title: String
        /// May be empty.
        public let description: String
        /// A `data:` address; nil where there is none.
        public let image: String?
        /// What the page is: `page`, `image`, `video`, any other word; nil where nothing says.
        public let contentType: String?
        /// Of a video, in seconds.
        public let duration: Int64?
        /// The whole object, with fields that are not known.
        package let fields: JSONNode

        /// A preview of a page that was looked at.
        ///
        /// - Parameters:
        ///   - uri: the page's address.
        ///   - title: of the page.
        ///   - description: of the page; may be empty.
        ///   - image: a `data:` address; nil for none.
        public init(uri: String, title: String, description: String, image: String?) {
            self.init(
                .object([
                    .init("uri", .text(uri)), .init("title", .text(title)),
                    .init("description", .text(description)), .init("image", .text(image ?? "")),
                ]), uri: uri, title: title, description: description)
        }

        fileprivate init(_ fields: JSONNode, uri: String, title: String, description: String) {
            self.uri = uri
            self.title = title
            self.description = description
            image = fields["image"]?.textValue.flatMap { $0.isEmpty ? nil : $0 }
            let content = fields["content"]?.sum
            contentType = content?.name
            duration = content?.fields["duration"]?.integerValue
            self.fields = fields
        }
    }

    /// The preview of a message that is a link.
    public var link: LinkPreview? {
        guard type == "link", let preview = fields["preview"], let uri = preview["uri"]?.textValue,
            let title = preview["title"]?.textValue, let description = preview["description"]?.textValue
        else { return nil }
        return LinkPreview(preview, uri: uri, title: title, description: description)
    }

    /// An invitation to a chat.
    public struct ChatLink: Sendable, Equatable {
        /// `contact`, `invitation`, `group`, or another word.
        public let type: String
        /// The link; nil where the type is not known and says it otherwise.
        public let link: String?
        /// Of the contact or the group.
        public let name: String?
        /// The whole object, with fields that are not known.
        package let fields: JSONNode
        /// The signature of the chat's owner; nil for none.
        package let signature: JSONNode?
    }

    /// The link of a message that recommends a chat.
    public var chatLink: ChatLink? {
        guard type == "chat", let object = fields["chatLink"], let (type, link) = object.sum else {
            return nil
        }
        let profile = link["profile"] ?? link["groupProfile"]
        return ChatLink(
            type: type, link: (link["connLink"] ?? link["invLink"])?.textValue,
            name: profile?["displayName"]?.textValue, fields: object,
            signature: fields["ownerSig"])
    }
}
