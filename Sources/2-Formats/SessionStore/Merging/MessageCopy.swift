import SystemPackage

/// A message as one of the stores has it.
struct MessageCopy {
    let message: SessionMessage
    let store: Int

    /// What its message shows: smaller pictures are made of others, and quoted ones belong to other messages.
    var shown: [SessionAttachment] {
        message.attachments.filter { $0.role == .attachment || $0.role == .voice }
    }
}

/// Paths of attachments in the merged store: the number of the store, and the path in that one.
enum MergedPath {
    static func path(_ path: FilePath, of store: Int) -> FilePath {
        FilePath(String(store)).pushing(path)
    }

    /// - Returns: nil for what was not made here.
    static func split(_ path: FilePath) -> (store: Int, path: FilePath)? {
        var rest = path
        guard let first = rest.components.first, let store = Int(first.string) else { return nil }
        rest.components.removeFirst()
        return (store, rest)
    }
}

extension SessionAttachment {
    /// The same in the merged store.
    func merged(from store: Int) -> SessionAttachment {
        guard case .file(let path, let form) = place else { return self }
        return with(place: .file(MergedPath.path(path, of: store), form))
    }

    /// The same elsewhere.
    func with(place: Place) -> SessionAttachment {
        SessionAttachment(
            fileName: fileName, contentType: contentType, size: size, width: width, height: height,
            duration: duration, caption: caption, role: role, place: place)
    }
}
