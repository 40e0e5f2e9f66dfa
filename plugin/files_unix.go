//go:build !windows && !plan9 && !js && !wasip1

package plugin

// inheritsFiles says whether a child can inherit open files.
const inheritsFiles = true
