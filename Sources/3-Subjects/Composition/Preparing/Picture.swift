import CValiseVips
package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseMediaRules

/// A picture in memory as messages carry it: upright, in sRGB, and without anything else that its file said.
///
/// One thread at a time works on pictures; others wait.
@safe package final class Picture {
    private var picture: valise_vips_picture
    /// Of the file's picture, upright, in pixels.
    package let width: Int
    /// Of the file's picture, upright, in pixels.
    package let height: Int
    /// Whether the file has several pictures, as an animation has: this is the first one.
    package let isAnimated: Bool

    /// The longer side in memory, in pixels: no message carries more.
    static let longestSide = 1920

    /// Reads a picture: JPEG, PNG, GIF, WebP, HEIC, AVIF.
    ///
    /// - Parameters:
    ///   - file: is read from its beginning, wherever its position is.
    ///   - size: of the file in bytes.
    ///   - limits: what it may take; nil for what goes with its size.
    /// - Throws: `MediaRulesError`: `damaged` for what is no whole picture, `unsupported` for too many pixels, `failed` where it takes
    ///   too long, or libvips cannot be loaded.
    package convenience init(
        _ file: FileDescriptor, size: Int64, limits: PictureLimits? = nil
    ) throws(MediaRulesError) {
        try unsafe self.init(limits ?? PictureLimits(fileSize: size)) { limits, picture, reason in
            unsafe valise_vips_read(
                file.rawValue, nil, 0, Int32(Self.longestSide), limits, picture, reason)
        }
    }

    /// Reads a picture from memory.
    /// - Throws: as `init(_:size:limits:)`.
    package convenience init(_ bytes: [UInt8], limits: PictureLimits? = nil) throws(MediaRulesError) {
        try unsafe self.init(limits ?? PictureLimits(fileSize: Int64(bytes.count))) {
            limits, picture, reason in
            unsafe valise_vips_read(
                -1, bytes, bytes.count, Int32(Self.longestSide), limits, picture, reason)
        }
    }

    private init(
        _ limits: PictureLimits,
        _ read: (
            UnsafePointer<valise_vips_limits>, UnsafeMutablePointer<valise_vips_picture>,
            UnsafeMutablePointer<CChar>
        ) -> Int32
    ) throws(MediaRulesError) {
        try PictureLibrary.load()
        var picture = unsafe valise_vips_picture()
        var bounds = valise_vips_limits(
            most_pixels: limits.pixels, most_held_bytes: limits.heldBytes, milliseconds: limits.milliseconds)
        var reason = [CChar](repeating: 0, count: Int(VALISE_VIPS_REASON_SIZE))
        let result = unsafe read(&bounds, &picture, &reason)
        unsafe self.picture = picture
        unsafe (width, height) = (Int(picture.read_width), Int(picture.read_height))
        isAnimated = unsafe picture.pages > 1
        switch result {
        case Int32(VALISE_VIPS_OK.rawValue): break
        case Int32(VALISE_VIPS_TOO_LARGE.rawValue):
            throw MediaRulesError(
                .unsupported,
                "\(width) x \(height) pixels are too many for a picture in a file of this size; it can go as a file"
            )
        case Int32(VALISE_VIPS_TOO_SLOW.rawValue):
            throw MediaRulesError(.failed, "the picture takes longer than \(limits.milliseconds / 1000) s")
        default:
            throw MediaRulesError(
                .damaged, "not a whole picture: \(Self.text(reason) ?? "it ends too early")")
        }
    }

    deinit { unsafe valise_vips_close(&picture) }

    /// Its longer side in memory, in pixels.
    private var longest: Int { unsafe Int(max(picture.width, picture.height)) }

    /// Nil where the library says nothing.
    private static func text(_ reason: [CChar]) -> String? {
        let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    // MARK: What messages carry

    /// A small picture as a `data:` address of at most ``MessageLimits/previewCharacters`` characters.
    /// - Throws: `MediaRulesError`.
    package func preview() throws(MediaRulesError) -> String {
        let room = MessageLimits.previewCharacters - Self.addressBegin.utf8.count
        let bytes = try fitting(.jpeg(quality: 70), longest: 512, upTo: room / 4 * 3)
        return Self.addressBegin + Base64.encode(bytes)
    }

    /// As the official programs write it.
    private static let addressBegin = "data:image/jpg;base64,"

    /// The picture as a file that goes within a message, and how its name ends: PNG where it is transparent, else JPEG.
    /// - Throws: `MediaRulesError`.
    package func file() throws(MediaRulesError) -> (bytes: [UInt8], suffix: String) {
        let isTransparent = unsafe picture.has_transparency
        let bytes = try fitting(
            isTransparent ? .png : .jpeg(quality: 85), longest: Self.longestSide,
            upTo: Int(MediaLimits.inlineImage))
        return (bytes, isTransparent ? "png" : "jpg")
    }

    private enum Encoding {
        case jpeg(quality: Int32)
        case png
    }

    /// Makes it smaller until it fits. The sizes of two pictures are about as their areas, so few steps are needed.
    private func fitting(
        _ encoding: Encoding, longest: Int, upTo limit: Int
    ) throws(MediaRulesError) -> [UInt8] {
        var side = min(longest, self.longest)
        while true {
            let bytes = try encoded(encoding, longest: side)
            if bytes.count <= limit || side == 1 { return bytes }
            let ratio = (Double(limit) / Double(bytes.count)).squareRoot()
            side = max(1, min(side - 1, Int(Double(side) * ratio * 0.96)))
        }
    }

    private func encoded(_ encoding: Encoding, longest: Int) throws(MediaRulesError) -> [UInt8] {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        var reason = [CChar](repeating: 0, count: Int(VALISE_VIPS_REASON_SIZE))
        let quality: Int32 = if case .jpeg(let quality) = encoding { quality } else { 0 }
        let result = unsafe valise_vips_encode(
            &picture, Int32(longest), quality, &bytes, &count, &reason)
        guard result == Int32(VALISE_VIPS_OK.rawValue), let bytes = unsafe bytes else {
            throw MediaRulesError(
                .failed, "the picture cannot be prepared: \(Self.text(reason) ?? "libvips does not say why")")
        }
        defer { unsafe valise_vips_free(bytes) }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
