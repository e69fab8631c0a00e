/// A picture as a message carries it.
package struct PreparedPicture: Sendable, Equatable {
    /// A small picture as a `data:` address.
    package let preview: String
    /// Of the picture in its file, upright, in pixels.
    package let width: Int
    /// Of the picture in its file, upright, in pixels.
    package let height: Int
    /// Whether the file has several pictures, of which the first one is the preview.
    package let isAnimated: Bool
    /// The picture as a file that goes within a message; nil where nobody asked for it, and for an animation, which would lose all
    /// but its first picture.
    package let file: File?

    /// An encoded picture.
    package struct File: Sendable, Equatable {
        package let bytes: [UInt8]
        /// How its name ends: `jpg` or `png`.
        package let suffix: String
    }
}
