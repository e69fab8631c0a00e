import CValiseVips
import ValiseFailures
package import ValiseMediaRules

/// libvips, which is loaded when the first picture is prepared.
package enum PictureLibrary {
    /// The version of the loaded library, such as `8.14.1`.
    /// - Throws: `MediaRulesError` with `failed` where it cannot be loaded.
    package static func version() throws(MediaRulesError) -> String {
        try load()
        return unsafe String(cString: valise_vips_version())
    }

    static func load() throws(MediaRulesError) { try unsafe check(valise_vips_load()) }

    /// What would be thrown for a library of another name, of which nothing is used.
    static func attempt(_ name: String) throws(MediaRulesError) { try unsafe check(valise_vips_try(name)) }

    private static func check(_ reason: UnsafePointer<CChar>?) throws(MediaRulesError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason)
        throw MediaRulesError(
            .failed, "cannot load libvips, which prepares pictures: \(text)", remedy: .installLibvips)
    }
}
