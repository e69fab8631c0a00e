/// What a picture may take while it is read.
///
/// A picture of a few kilobytes may claim a billion pixels. So beyond what every picture may have, the file must have a size that
/// such a picture has: even a plain surface takes a byte for a hundred pixels.
package struct PictureLimits: Sendable {
    /// How many pixels a picture may have.
    package var pixels: Int64
    /// How many bytes a picture may take in memory that is held there whole, as HEIC, WebP, GIF and interlaced pictures are.
    package var heldBytes: Int64
    /// How long it may take, in milliseconds.
    package var milliseconds: Int64 = 10_000

    /// Of a file of so many bytes.
    package init(fileSize: Int64) {
        func times(_ factor: Int64) -> Int64 {
            let (product, overflows) = fileSize.multipliedReportingOverflow(by: factor)
            return overflows ? .max : product
        }
        pixels = min(max(Self.everyPixels, times(Self.pixelsPerByte)), Self.mostPixels)
        heldBytes = min(max(Self.everyPixels * 3, times(Self.heldPerByte)), Self.mostHeldBytes)
    }

    private static let pixelsPerByte: Int64 = 100
    private static let heldPerByte: Int64 = 60
    /// 16 megapixels.
    private static let everyPixels: Int64 = 16_777_216
    /// 268 megapixels: cameras of telephones have 200.
    private static let mostPixels: Int64 = 268_435_456
    /// A progressive JPEG of 50 megapixels; of other pictures twice as many pixels.
    private static let mostHeldBytes: Int64 = 320_000_000
}
