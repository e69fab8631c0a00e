import ValiseEncoding

/// The small real files that are embedded in the program.
enum SampleMedia {
    enum Kind: CaseIterable { case photo, portrait, picture, video, voice, document, note }

    /// The data URI of the preview that messages carry inline.
    static let preview = "data:image/jpg;base64," + Base64.encode(PackageResources.preview_jpg)

    static let wallpaper = PackageResources.wallpaper_jpg

    static func bytes(_ kind: Kind) -> [UInt8] {
        switch kind {
        case .photo: PackageResources.photo_jpg
        case .portrait: PackageResources.photo2_jpg
        case .picture: PackageResources.picture_png
        case .video: PackageResources.clip_mp4
        case .voice: PackageResources.voice_m4a
        case .document: PackageResources.document_pdf
        case .note: PackageResources.note_txt
        }
    }

    /// A name that no other file of the account has.
    static func name(_ kind: Kind, _ number: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return switch kind {
        case .photo, .portrait: "photo_\(padded).jpg"
        case .picture: "picture_\(padded).png"
        case .video: "clip_\(padded).mp4"
        case .voice: "voice_\(padded).m4a"
        case .document: "document_\(padded).pdf"
        case .note: "note_\(padded).txt"
        }
    }
}
