import ValiseEncoding

extension MessageContent {
    /// The preview of a page.
    package struct LinkPreview: Sendable, Equatable {
        package let uri: String
        package let title: String
        package let description: String
        /// A `data:` address; nil where there is none.
        package let image: String?
        /// What the page is: `page`, `image`, `video`, any other word; nil where nothing says.
        package let contentType: String?
        /// Of a video, in seconds.
        package let duration: Int64?
    }

    /// The preview of a message that is a link.
    package var link: LinkPreview? {
        guard type == "link", let preview = fields["preview"], let uri = preview["uri"]?.textValue,
            let title = preview["title"]?.textValue, let description = preview["description"]?.textValue
        else { return nil }
        let image = preview["image"]?.textValue.flatMap { $0.isEmpty ? nil : $0 }
        let content = preview["content"]?.sum
        return LinkPreview(
            uri: uri, title: title, description: description, image: image, contentType: content?.name,
            duration: content?.fields["duration"]?.integerValue)
    }

    /// An invitation to a chat.
    package struct ChatLink: Sendable, Equatable {
        /// `contact`, `invitation`, `group`, or another word.
        package let type: String
        /// The link; nil where the type is not known and says it otherwise.
        package let link: String?
        /// Of the contact or the group.
        package let name: String?
    }

    /// The link of a message that recommends a chat.
    package var chatLink: ChatLink? {
        guard type == "chat", let (type, link) = fields["chatLink"]?.sum else { return nil }
        let profile = link["profile"] ?? link["groupProfile"]
        return ChatLink(
            type: type, link: (link["connLink"] ?? link["invLink"])?.textValue,
            name: profile?["displayName"]?.textValue)
    }
}
