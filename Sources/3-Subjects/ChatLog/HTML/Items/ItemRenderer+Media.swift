import ValiseChatSchema
import ValiseEncoding

/// Files of items.
extension ItemRenderer {
    /// Writes the file, or what is known of it.
    mutating func file(_ file: ItemFile, _ message: MessageContent?) throws {
        let reference = try media(file)
        guard let reference, let path = reference.path, reference.state != .missing else {
            missing(file, message, reference?.state)
            return
        }
        let address = root + WebLink.path(path)
        let name = file.name.isEmpty ? "unnamed" : file.name
        switch message?.type == "voice" ? .voice : reference.kind {
        case .picture: picture(address, name)
        case .video: video(address, name, message)
        case .voice: voice(address, name, message)
        case .file: link(address, name, file.size)
        }
        state(reference.state)
    }

    private mutating func picture(_ address: String, _ name: String) {
        html.markup(
            "<a class=\"pic\" href=\"\(address)\"><img loading=\"lazy\" src=\"\(address)\" alt=\"picture ")
        html.line(name)
        html.markup("\"/></a>")
    }

    private mutating func video(_ address: String, _ name: String, _ message: MessageContent?) {
        html.markup("<video controls=\"\" preload=\"none\" src=\"\(address)\"")
        if let poster = PreviewImage.address(message?.image) { html.markup(" poster=\"\(poster)\"") }
        html.markup(" aria-label=\"video ")
        html.line(name)
        html.markup("\"></video>")
        duration(message)
    }

    private mutating func voice(_ address: String, _ name: String, _ message: MessageContent?) {
        html.markup("<div class=\"voice\"><audio controls=\"\" preload=\"none\" src=\"\(address)\"")
        html.markup(" aria-label=\"voice message ")
        html.line(name)
        html.markup("\"></audio>")
        duration(message)
        html.markup("</div>")
    }

    private mutating func duration(_ message: MessageContent?) {
        // Some programs do not store it.
        guard let seconds = message?.duration, seconds > 0 else { return }
        html.markup("<span class=\"dur\">\(TimeSpanText.clock(seconds))</span>")
    }

    private mutating func link(_ address: String, _ name: String, _ size: Int64?) {
        html.markup("<a class=\"file\" href=\"\(address)\" download=\"")
        html.line(name)
        html.markup("\">")
        html.name(name)
        self.size(size)
        html.markup("</a>")
    }

    private mutating func size(_ size: Int64?) {
        guard let size, size >= 0 else { return }
        html.markup(" <span class=\"size\">\(Count.bytes(size))</span>")
    }

    /// What is left of a file that cannot be shown: the preview that the message carries, its name and size.
    private mutating func missing(
        _ file: ItemFile, _ message: MessageContent?, _ state: ExportedMedia.State?
    ) {
        preview(message?.image, alternative: "preview")
        html.markup("<p class=\"file none\">")
        html.name(file.name)
        size(file.size)
        html.markup("</p>")
        duration(message)
        guard let state else { return html.markup("<p class=\"state\">file not exported</p>") }
        self.state(state)
    }

    private mutating func state(_ state: ExportedMedia.State) {
        switch state {
        case .present: break
        case .missing: html.markup("<p class=\"state\">file missing</p>")
        case .unfinished: html.markup("<p class=\"state\">file not received</p>")
        case .damaged: html.markup("<p class=\"state\">file damaged</p>")
        case .leftOut: html.markup("<p class=\"state\">file left out of the export</p>")
        }
    }
}
