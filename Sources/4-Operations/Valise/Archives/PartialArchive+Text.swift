package import ValiseAccountArchives
import ValiseEncoding

extension PartialArchive {
    /// What is in it and how much is not, for a user.
    package var lines: [String] {
        let lines = ["partial archive: \(content); an import elsewhere lacks the files left out"]
        guard leftOutFiles > 0 else { return lines + ["left out: no files"] }
        var sentence = "left out: \(Count.text(leftOutFiles, "file")) (\(Count.bytes(leftOutSize)))"
        if let count = unreferencedFiles, count > 0 {
            sentence += ", including \(Count.text(count, "unreferenced file"))"
        }
        return lines + [sentence]
    }

    private var content: String {
        switch kind {
        case .onlyDatabases: return "databases only, no media or wallpapers"
        case .withoutMedia: return "databases and wallpapers, no media"
        case .selectedMedia:
            let chats = chats.isEmpty ? "messages" : chats.joined(separator: ", ")
            let since = since.map { " since \($0)" } ?? ""
            return "databases, wallpapers, and only media of \(chats)\(since)"
        }
    }
}
